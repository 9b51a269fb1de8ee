import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import fastify from "fastify";
import type pg from "pg";
import * as z from "zod";
import { readProcessConfig } from "#config/config";
import { valueTypes } from "#database/value-types";
import { routeToGroups } from "#functions/all";
import { servicesWithLanes } from "#functions/workers/lanes";
import { openConnections } from "#local/support/connection";
import { HOT_READS } from "./hot-reads.ts";
import { HOT_WRITES, type NewEntry } from "./hot-writes.ts";

const Environment = z.object({ DATABASE_URL: z.string(), DATABASE_POOL_SIZE: z.coerce.number() });
/** The body that the one table takes. */
const BODY = {
  type: "object",
  required: ["title", "content"],
  additionalProperties: false,
  properties: {
    title: { type: "string", minLength: 1, maxLength: 255 },
    content: { type: "string", minLength: 1, maxLength: 100_000 },
    mood: { type: "string", maxLength: 50 },
    tags: { type: "array", maxItems: 20, items: { type: "string", maxLength: 50 } },
  },
};
const SERVERS = { api: apiServer, bare: bareServer, "one table": oneTableServer };

/**
 * A server of a comparison, in its own process: `api` is the service, `bare` a node:http server that runs bare SQL, and
 * `one table` stores entries in a single one. It prints its port and serves until it is killed.
 */
const server = await SERVERS[z.enum(["api", "bare", "one table"]).parse(process.argv[2])]();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.error(`port ${address.port}`);
});

function apiServer() {
  return createServer(getRequestListener(routeToGroups(servicesWithLanes(readProcessConfig()).services)));
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
  const reads = new Map(HOT_READS.map(({ path, twin }) => [path, twin?.sql]));
  const writes = new Map(HOT_WRITES.map(({ path, twin }) => [path, twin]));
  return createServer(async (request, response) => {
    const path = request.url ?? "";
    const sql = request.method === "GET" ? reads.get(path) : undefined;
    if (sql !== undefined) {
      const { rows } = await pool.query({ name: path, text: sql, values: [callerOf(request)] });
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

/** A Fastify server that inserts into the one table, in a transaction. */
async function oneTableServer() {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = Environment.parse(process.env);
  const pool = openConnections(DATABASE_URL, { max: DATABASE_POOL_SIZE });
  const app = fastify();
  app.post<{ Body: NewEntry }>("/", { schema: { body: BODY } }, async ({ body, raw }, reply) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query(
        "insert into public.bare_entries (user_id, title, content, mood, tags) values ($1, $2, $3, $4, $5) returning *",
        [callerOf(raw), body.title, body.content, body.mood, body.tags ?? []],
      );
      await client.query("commit");
      return reply.code(201).send({ entry: rows[0] });
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  });
  await app.ready();
  return app.server;
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
