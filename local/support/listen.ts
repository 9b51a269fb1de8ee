import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { closeServer, type Fetch, listen } from "#ops/server/http-server";
import { messageOf, StartupProblem } from "./startup-problem.ts";

/** Milliseconds for running requests to finish when a server stops. */
export const DRAIN_MS = 5_000;

/** A server that listens on 127.0.0.1. */
export interface Listening {
  port: number;
  /** Lets running requests finish. */
  stop(): Promise<void>;
  /** Closes all connections. */
  kill(): void;
}

/**
 * Lets a server listen on 127.0.0.1.
 * @param port 0 for any free one.
 * @param name for the message
 * @throws StartupProblem if the port is in use
 */
export async function listenLocally(server: Server, port: number, name: string): Promise<Listening> {
  const listensOn = await listen(server, "127.0.0.1", port).catch((error: unknown) => {
    throw new StartupProblem(`${name} cannot listen on port ${port}: ${messageOf(error)}`);
  });
  return {
    port: listensOn,
    stop: async () => void (await closeServer(server, DRAIN_MS)),
    kill: () => server.closeAllConnections(),
  };
}

/** Serves a fetch handler on 127.0.0.1, as listenLocally does. */
export function serveLocally(handler: Fetch, port: number, name: string): Promise<Listening> {
  return listenLocally(createServer(getRequestListener(handler)), port, name);
}
