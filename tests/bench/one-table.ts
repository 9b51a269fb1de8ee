import type { IncomingMessage, Server } from "node:http";
import fastify from "fastify";
import { openConnections } from "#local/support/connection";

/** The table of the smallest service that stores an entry, with four indexes. */
export const ONE_TABLE = `
  create table public.bare_entries (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    title text not null,
    content text not null,
    mood text,
    tags text[] not null default '{}',
    created_at timestamptz not null default now()
  );
  create index on public.bare_entries (user_id, created_at desc, id desc);
  create index on public.bare_entries (created_at desc, id desc);
  create index on public.bare_entries (user_id, mood);
  insert into public.bare_entries (user_id, title, content, mood, tags, created_at)
  select e.user_id, e.title, c.content, e.mood, e.tags, e.created_at
  from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id`;

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

interface NewEntry {
  readonly title: string;
  readonly content: string;
  readonly mood?: string;
  readonly tags?: readonly string[];
}

/** A Fastify server that inserts into the one table, in a transaction. */
export async function oneTableServer(
  connectionString: string,
  connections: number,
  callerOf: (request: IncomingMessage) => string,
): Promise<Server> {
  const pool = openConnections(connectionString, { max: connections });
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
