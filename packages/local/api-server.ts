import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { listenLocally } from "./listen.ts";
import type { Stoppable } from "./shutdown-plan.ts";

/**
 * Serves a fetch handler on 127.0.0.1.
 * @throws StartupProblem if the port is in use
 */
export function serveOn(port: number, handler: (request: Request) => Response | Promise<Response>): Promise<Stoppable> {
  return listenLocally(createServer(getRequestListener(handler)), port, "The API");
}
