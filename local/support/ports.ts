import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, connect as openConnection } from "node:net";

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
  const server = createServer().listen({ port, host: "127.0.0.1", exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES"))
      return true;
    throw error;
  }
  server.close();
  await once(server, "close");
  return false;
}

/** Whether something accepts a connection within half a second. */
async function accepts(host: string, port: number): Promise<boolean> {
  const socket = openConnection({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(500) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
