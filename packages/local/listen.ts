import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Stoppable } from "./shutdown-plan.ts";
import { StartupProblem } from "./startup-problem.ts";

/** Milliseconds for running requests to finish when a server stops. */
const DRAIN_MS = 5_000;

/** A server that listens on 127.0.0.1. */
export interface Listening extends Stoppable {
  port: number;
}

/**
 * Lets a server listen on 127.0.0.1.
 * @param port 0 for any free one.
 * @param name for the message
 * @throws StartupProblem if the port is in use
 */
export async function listenLocally(server: Server, port: number, name: string): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new StartupProblem(`${name} cannot listen on port ${port}: ${error.message}`)),
    );
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port number.");
  return {
    port: address.port,
    stop: () => closeServer(server),
    kill: () => server.closeAllConnections(),
  };
}

/** Serves a fetch handler on 127.0.0.1, as listenLocally does. */
export function serveLocally(
  handler: (request: Request) => Response | Promise<Response>,
  port: number,
  name: string,
): Promise<Listening> {
  return listenLocally(createServer(getRequestListener(handler)), port, name);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    // Idle keep-alive connections would keep the server open.
    server.closeIdleConnections();
  });
}
