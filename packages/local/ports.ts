import { createServer, connect as openConnection, type Server } from "node:net";

/** A port that nothing listens on at this moment (on 127.0.0.1). */
export async function freePort(): Promise<number> {
  const server = createServer();
  await listen(server, 0);
  const address = server.address();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  if (address === null || typeof address === "string") throw new Error("The system gave no port number.");
  return address.port;
}

/** Whether anything on this machine already answers on, or holds, the port. */
export async function isPortInUse(port: number): Promise<boolean> {
  // "localhost" may mean either address, and listening on one does not reveal a listener on the other.
  if ((await answers("127.0.0.1", port)) || (await answers("::1", port))) return true;
  const server = createServer();
  try {
    await listen(server, port);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES"))
      return true;
    throw error;
  }
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return false;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve());
  });
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openConnection({ host, port });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(500, () => settle(false));
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
