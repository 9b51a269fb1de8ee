import { Hono } from "hono";
import { handle } from "hono/aws-lambda";
import pg from "pg";

// For comparison with the cold start of our functions: the list with Hono and pg alone, and none of our code.
const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 2 });
pool.on("error", () => {});
const app = new Hono().get("/api/journal", async (c) => {
  const { rows } = await pool.query(process.env.BENCH_SQL ?? "", [process.env.BENCH_READER]);
  return c.json({ entries: rows.slice(0, 20), next_cursor: null });
});

export const handler = handle(app);
