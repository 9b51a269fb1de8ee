import { createServer, type Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Fetch } from "#ops/server/http-server";
import { DRAIN_MS, type Listening, listenLocally } from "./listen.ts";

/** Serves a fetch handler on 127.0.0.1, as listenLocally does, over HTTP/1.1 and over HTTP/2 without TLS. */
export async function serveWithHttp2(handler: Fetch, port: number, name: string): Promise<Listening> {
  const server = createServer(getRequestListener(handler));
  const kill = acceptHttp2(server, handler);
  const listening = await listenLocally(server, port, name);
  return {
    ...listening,
    async stop() {
      // A connection that has sent nothing is idle, but only we know it.
      const timer = setTimeout(kill, DRAIN_MS);
      await listening.stop();
      clearTimeout(timer);
    },
    kill,
  };
}

/** The first bytes of every HTTP/2 connection (RFC 9113). */
const PREFACE = "PRI * HTTP/2.0";

/** Lets a server speak HTTP/2 with clients that begin with it. @returns closes all connections */
function acceptHttp2(server: Server, handler: Fetch): () => void {
  const http2 = createHttp2Server(getRequestListener(handler));
  const sockets = new Set<Socket>();
  const http1 = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    // Also one that has sent nothing yet, which no server knows.
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (start) => {
      socket.pause();
      socket.unshift(start);
      if (!start.toString("latin1").startsWith(PREFACE)) {
        for (const accept of http1) accept.call(server, socket);
        socket.resume();
        return;
      }
      http2.emit("connection", socket);
    });
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
