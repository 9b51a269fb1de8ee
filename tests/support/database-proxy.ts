import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Sent {
  /** How often it waited for a result. Statements that are sent together are one round trip. */
  readonly roundTrips: number;
  /** Statements, without those that begin and end transactions. */
  readonly statements: number;
}

/** A TCP proxy between a pool of connections and PostgreSQL. */
export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** The counts since the last call. */
  take(): Sent;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that counts round trips.
 * @param delayMs by which it delays everything in both directions. What is sent together arrives before the first result.
 */
export async function startDatabaseProxy(databaseUrl: string, delayMs = 2): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let trips: string[][] = [];
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    const read = statementReader();
    let waits = false;
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (chunk) => {
        if (from === client) {
          const statements = read(chunk);
          const trip = waits ? trips.at(-1) : undefined;
          if (trip !== undefined) trip.push(...statements);
          else if (statements.length > 0) trips.push(statements);
          waits = true;
        }
        setTimeout(() => {
          if (from === database) waits = false;
          if (!to.destroyed) to.write(chunk);
        }, delayMs);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  if (typeof address === "object" && address !== null) url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    take() {
      const taken = trips;
      trips = [];
      return sentBy(taken);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** @param trips of each the statements that were sent together */
function sentBy(trips: readonly (readonly string[])[]): Sent {
  const statements = trips.flat();
  const onlyReads = statements.some((statement) => /begin_as_user\([^,]+, false/.test(statement));
  return {
    // The caller does not wait for the end of a transaction that only read.
    roundTrips: trips.filter((trip) => !onlyReads || trip.join() !== "commit").length,
    statements: statements.filter((statement) => !/^(begin|commit|call private\.begin_as_user)\b/.test(statement))
      .length,
  };
}

/** Bytes of the type and the length of a message. */
const TYPE = 1;
const LENGTH = 4;

/** Reads the statements of a connection from the messages of a client (PostgreSQL's protocol 3). */
function statementReader(): (chunk: Buffer) => string[] {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  const prepared = new Map<string, string>();
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const statements: string[] = [];
    for (;;) {
      // The first message of a connection has no type.
      const head = isStarted ? TYPE : 0;
      if (rest.length < head + LENGTH) return statements;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return statements;
      const type = isStarted ? rest.toString("latin1", 0, TYPE) : "startup";
      const [first = "", second = ""] = rest.toString("utf8", head + LENGTH, end).split("\0");
      if (type === "Q") statements.push(first);
      if (type === "P") prepared.set(first, second);
      // The second text of a bind message is the name of the prepared statement.
      if (type === "B") statements.push(prepared.get(second) ?? "");
      rest = rest.subarray(end);
      isStarted = true;
    }
  };
}
