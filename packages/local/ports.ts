import { randomInt } from "node:crypto";
import { createServer, connect as openConnection, type Server } from "node:net";

/** Below the ports that systems use for outgoing connections, which may be taken a moment later. */
const OWN_RANGE = { from: 20_000, to: 32_000 };

/** A port that nothing listens on at this moment (on 127.0.0.1). */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(OWN_RANGE.from, OWN_RANGE.to);
    if (!(await isPortInUse(port))) return port;
  }
}

/** Whether anything on this machine uses the port. */
export async function isPortInUse(port: number): Promise<boolean> {
  // "localhost" may mean either address, and listening on one does not reveal a listener on the other.
  if ((await accepts("127.0.0.1", port)) || (await accepts("::1", port))) return true;
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

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openConnection({ host, port });
    const finish = (isAccepted: boolean) => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.setTimeout(500, () => finish(false));
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}
