import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type pg from "pg";
import * as z from "zod";
import { readProcessConfig } from "#config/config";
import { valueTypes } from "#database/value-types";
import { routeToGroups } from "#functions/all";
import { servicesWithLanes } from "#functions/tasks/lanes";
import { openConnections } from "#local/support/connection";
import { HOT_READS } from "./hot-reads.ts";
import { HOT_WRITES } from "./hot-writes.ts";
import { oneTableServer as startOneTable } from "./one-table.ts";

const Environment = z.object({ DATABASE_URL: z.string(), DATABASE_POOL_SIZE: z.coerce.number() });
const SERVERS = { api: apiServer, bare: bareServer, "one table": oneTableServer };

/**
 * A server of a comparison, in its own process: `api` is the service, `bare` a node:http server that runs bare SQL, or none,
 * and `one table` stores entries in a single one. It prints its port and serves until it is killed.
 */
const server = await SERVERS[z.enum(["api", "bare", "one table"]).parse(process.argv[2])]();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.error(`port ${address.port}`);
});

function apiServer() {
  return createServer(getRequestListener(routeToGroups(servicesWithLanes(readProcessConfig()).services)));
}

function oneTableServer() {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = Environment.parse(process.env);
  return startOneTable(DATABASE_URL, DATABASE_POOL_SIZE, callerOf);
}

function bareServer() {
  const environment = Environment.parse(process.env);
  const pool = openConnections(environment.DATABASE_URL, {
    max: environment.DATABASE_POOL_SIZE,
    types: valueTypes,
    pipeline: true,
    // Without triggers.
    options: "-c session_replication_role=replica",
  });
  const reads = new Map(HOT_READS.map((read) => [read.path, read]));
  const writes = new Map(HOT_WRITES.map((write) => [write.path, write]));
  return createServer(async (request, response) => {
    const path = request.url ?? "";
    if (path === "/health") return send(response, 200, { status: "ok", timestamp: new Date().toISOString() });
    const read = request.method === "GET" ? reads.get(path) : undefined;
    if (read !== undefined) {
      const { rows } = await pool.query({ name: read.name, text: read.sql, values: [callerOf(request)] });
      return send(response, 200, rows);
    }
    const write = writes.get(path.replace(/[0-9a-f-]{36}/, ":id"));
    if (write === undefined) return send(response, 404, {});
    for await (const _ of request);
    await inTransaction(pool, write.statements(callerOf(request)));
    send(response, 201, {});
  });
}

/** Sends all statements at once. */
async function inTransaction(pool: pg.Pool, statements: readonly pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect();
  try {
    await Promise.all([
      client.query("begin"),
      ...statements.map((statement) => client.query(statement)),
      client.query("commit"),
    ]);
  } finally {
    client.release();
  }
}

/** The subject of the token, which is not verified. */
function callerOf(request: IncomingMessage): string {
  const claims = request.headers.authorization?.split(".")[1] ?? "";
  return z.object({ sub: z.string() }).parse(JSON.parse(Buffer.from(claims, "base64url").toString())).sub;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
