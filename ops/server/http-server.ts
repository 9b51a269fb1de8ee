import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export type Fetch = (request: Request) => Response | Promise<Response>;

/** How often connections that have become idle are closed while a server closes, in milliseconds. */
const SWEEP_MS = 100;

/**
 * A server for the internet: a client that sends its headers or its body too slowly, or that does not read the response, is
 * disconnected. The sizes of bodies are limited by the endpoints.
 */
export function createPublicServer(fetch: Parameters<typeof getRequestListener>[0]): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      // For a photo of the maximum size over a slow mobile connection.
      requestTimeout: 120_000,
      connectionsCheckingInterval: 5_000,
      // Longer than reverse proxies keep their connections, so that none is closed while a request is on its way.
      keepAliveTimeout: 75_000,
    },
    getRequestListener(fetch),
  );
  // Without a byte in either direction. Longer than the longest job that is started by a request.
  server.setTimeout(330_000);
  return server;
}

/** Lets a server listen. @param port 0 for any free one @returns the port @throws Error if the port is in use */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port number.");
  return address.port;
}

/**
 * Closes a server after its running requests have finished. Idle keep-alive connections are closed at once.
 * @param drainMs milliseconds after which the remaining connections are closed as well
 * @returns whether all requests have finished in time
 */
export function closeServer(server: Server, drainMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let isInTime = true;
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const timer = setTimeout(() => {
      isInTime = false;
      server.closeAllConnections();
    }, drainMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(timer);
      resolve(isInTime);
    });
  });
}
