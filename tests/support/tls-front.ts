import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";

/** A file of tests/support/fixtures/tls: a server's certificate for `localhost`, its authority, and another authority. */
const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", "tls", name), "utf8");

/** The authority that signed the certificate of the front. */
export const FRONT_CA = fixture("ca.pem");
/** An authority that did not. */
export const OTHER_CA = fixture("other-ca.pem");

/** A server in front of PostgreSQL that ends TLS, as a pooler does. */
export interface TlsFront {
  /** The address of the database through the front, by one of the server's names. */
  urlFor(hostname: string): string;
  stop(): Promise<void>;
}

/** Starts a front for a database. It accepts connections with TLS only, for the name `localhost`. */
export async function startTlsFront(databaseUrl: string): Promise<TlsFront> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    // A client first asks whether it may use TLS (eight bytes); S means that it may.
    client.once("data", () => {
      const secure = new TLSSocket(client, { isServer: true, cert: fixture("server.pem"), key: fixture("server.key") });
      const upstream = connect(Number(database.port), database.hostname);
      sockets.add(upstream);
      secure.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      secure.pipe(upstream).pipe(secure);
      client.write("S");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    urlFor(hostname) {
      const url = new URL(databaseUrl);
      url.host = `${hostname}:${port}`;
      return url.href;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
