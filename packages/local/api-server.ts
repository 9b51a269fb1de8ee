import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Stoppable } from "./shutdown-plan.ts";
import { StartupProblem } from "./startup-problem.ts";

/** Milliseconds that requests under way get to finish when the server stops. */
const drainMs = 5_000;

/**
 * Serves a fetch handler on 127.0.0.1.
 * @throws StartupProblem when the port cannot be had.
 */
export async function serveOn(
  port: number,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Stoppable> {
  const server = createServer(getRequestListener(handler));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new StartupProblem(`The API cannot listen on port ${port}: ${error.message}`)),
    );
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  return {
    stop: () => closeServer(server),
    kill: () => server.closeAllConnections(),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    // Kept-alive connections without a request under way would hold the server open.
    server.closeIdleConnections();
  });
}
