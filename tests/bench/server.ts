import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { valueTypes } from "@nectar/database/value-types";
import { production } from "@nectar/http/production";
import pg from "pg";
import * as z from "zod";
import { routeToGroups } from "../../functions/all.ts";

/**
 * A server of a comparison, in its own process: `api` is the service, `bare` a node:http server that runs the same queries,
 * or none. It prints its port and serves until it is killed.
 */
const kind = process.argv[2];
const server = kind === "api" ? apiServer() : bareServer();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.error(`port ${address.port}`);
});

function apiServer() {
  const services = production();
  return createServer(getRequestListener(routeToGroups(services)));
}

function bareServer() {
  const environment = z
    .object({ DATABASE_URL: z.string(), DATABASE_POOL_SIZE: z.coerce.number(), BENCH_LIST: z.string() })
    .parse(process.env);
  const list = z
    .object({ opening: z.string(), sql: z.string(), parameters: z.array(z.unknown()) })
    .parse(JSON.parse(environment.BENCH_LIST));
  const pool = new pg.Pool({
    connectionString: environment.DATABASE_URL,
    max: environment.DATABASE_POOL_SIZE,
    types: valueTypes,
  });
  return createServer(async (request, response) => {
    if (request.url === "/health") {
      return send(response, { status: "ok", timestamp: new Date().toISOString() });
    }
    if (request.url === "/health-with-headers") {
      return send(response, { status: "ok", timestamp: new Date().toISOString() }, headersOfTheService());
    }
    const client = await pool.connect();
    try {
      await client.query(list.opening);
      const { rows } = await client.query(list.sql, list.parameters);
      await client.query("commit");
      send(response, { entries: rows, next_cursor: null });
    } finally {
      client.release();
    }
  });
}

function send(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** The headers of the service's responses, built for each response as the service does. */
function headersOfTheService(): Record<string, string> {
  return {
    "x-request-id": randomUUID(),
    "server-timing": `total;dur=${Math.round(performance.now() % 10) / 10}`,
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
  };
}
