import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import * as z from "zod";

/** The rows that a client wants, as supabase-js sends it. */
export const Wanted = z.looseObject({
  ...{ event: z.string(), schema: z.string(), table: z.string().optional(), filter: z.string().optional() },
});

/** What Realtime and the policies need of an access token. */
export const Claims = z.looseObject({ role: z.string(), exp: z.int() });

/** One client's interest in rows. */
export interface Subscription {
  readonly wanted: z.infer<typeof Wanted>;
  readonly claims: z.infer<typeof Claims>;
  send(change: object): void;
}

export type Changes = Awaited<ReturnType<typeof readChanges>>;

/** Says in the vendor's words why something is refused: its code, a colon and the reason. */
export class Refusal extends Error {}

/** Milliseconds between two looks at the log; the vendor's default. */
const POLL_MS = 100;
const OPERATORS = { eq: "=", neq: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=", in: "= any" };
/** A line of the plugin test_decoding about a table whose first column is the key `id`. */
const DECODED = /^table (\w+)\.(\w+): (INSERT|UPDATE|DELETE): id\[uuid\]:'([0-9a-f-]{36})'/;

/**
 * Reads the changes of a database from its log, as the vendor does: through a temporary replication slot, which exists while
 * somebody is subscribed. For each subscriber it reads the row again, with the role and the claims of the token.
 * @param adminUrl a superuser's address
 */
export async function readChanges(adminUrl: string) {
  const client = new pg.Client({ connectionString: adminUrl });
  // The local stack watches the database itself.
  client.on("error", () => clearInterval(timer));
  await client.connect();
  const slot = `nectar_realtime_${randomBytes(4).toString("hex")}`;
  const active = new Map<Subscription, readonly string[]>();
  let hasSlot = false;

  // One connection does everything, and transactions of subscribers must not overlap.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function readRow(id: string, table: string, columns: readonly string[], { wanted, claims }: Subscription) {
    const filters = filtersOf(wanted.filter);
    const conditions = filters.map(({ condition }, index) => ` and ${condition} ($${index + 2})`).join("");
    await client.query("begin read only");
    try {
      const settings = [claims.role, JSON.stringify(claims)];
      await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", settings);
      const { rows } = await client.query<{ record: object }>(
        `select to_jsonb(r) as record from (select ${columns.join(", ")} from ${table} where id = $1${conditions}) r`,
        [id, ...filters.map(({ value }) => value)],
      );
      return rows[0]?.record;
    } finally {
      await client.query("rollback");
    }
  }

  async function deliver(subscription: Subscription, schema: string, table: string, type: string, id: string) {
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `select attname as name, typname as type from pg_attribute join pg_type t on t.oid = atttypid
       where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and has_column_privilege($2, attrelid, attnum, 'SELECT') order by attnum`,
      [`${schema}.${table}`, subscription.claims.role],
    );
    const about = { schema, table, type, commit_timestamp: new Date().toISOString(), columns, errors: null };
    const names = columns.map(({ name }) => pg.escapeIdentifier(name));
    if (type === "DELETE") {
      // The log has only the key of a deleted row: no filter fits it, and no policy can be asked.
      if (!subscription.wanted.filter) subscription.send({ ...about, old_record: { id } });
    } else if (!names.includes('"id"')) {
      subscription.send({ ...about, errors: ["Error 401: Unauthorized"] });
    } else {
      const record = await readRow(id, `${schema}.${table}`, names, subscription);
      if (record !== undefined) subscription.send({ ...about, record, old_record: { id } });
    }
  }

  async function poll(): Promise<void> {
    if (active.size === 0) await client.query("select pg_drop_replication_slot($1)", [slot]);
    hasSlot = active.size > 0;
    if (!hasSlot) return;
    const { rows } = await client.query<{ data: string }>(
      "select data from pg_logical_slot_get_changes($1, null, null, 'include-xids', '0', 'skip-empty-xacts', '1')",
      [slot],
    );
    for (const { data } of rows) {
      const [, schema = "", table = "", type = "", id = ""] = DECODED.exec(data) ?? [];
      for (const [subscription, tables] of active) {
        if (!tables.includes(`${schema}.${table}`) || !["*", type].includes(subscription.wanted.event)) continue;
        // Policies that fail for one subscriber do not keep the change from others. The message may have texts of users.
        const delivery = deliver(subscription, schema, table, type, id);
        await delivery.catch(({ code }) => console.error(`  Realtime: error ${code} for a row of ${table}`));
      }
    }
  }
  let isPolling = false;
  const timer = setInterval(async () => {
    if (!hasSlot || isPolling) return;
    isPolling = true;
    await inTurn(poll).catch(() => undefined);
    isPolling = false;
  }, POLL_MS);

  return {
    /** Subscribes to what is committed from now on. @returns how to end it @throws Refusal if that is not possible */
    subscribe: (subscription: Subscription) =>
      inTurn(async () => {
        const { schema, table = "*", filter = "", event } = subscription.wanted;
        const { rows } = await client.query<{ name: string }>(
          `select format('%I.%I', schemaname, tablename) as name from pg_publication_tables
           where pubname = 'supabase_realtime' and $1::text in (schemaname, '*') and $2::text in (tablename, '*')`,
          [schema, table],
        );
        const tables = rows.map(({ name }) => name);
        let problem = tables.length === 0 ? "Please check Realtime is enabled for the given connect parameters" : "";
        for (const name of filter === "" ? [] : tables) {
          await readRow(randomUUID(), name, [], subscription).catch((error) => {
            problem = `An exception happened so please check your connect parameters (${error.message})`;
          });
        }
        const asked = `[event: ${event}, schema: ${schema}, table: ${table}, filters: ${filter}]`;
        const refusal = "RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters.";
        if (problem !== "") throw new Refusal(`${refusal} ${problem}: ${asked}`);
        const newSlot = "select pg_create_logical_replication_slot($1, 'test_decoding', true)";
        if (!hasSlot) await client.query(newSlot, [slot]);
        hasSlot = true;
        active.set(subscription, tables);
        return () => void active.delete(subscription);
      }),
    async stop(): Promise<void> {
      clearInterval(timer);
      await last;
      await client.end();
    },
  };
}

/** The conditions of a filter such as `team_id=eq.4` or `type=in.(comment,badge_earned)`; commas join several. */
function filtersOf(filter = "") {
  return (filter === "" ? [] : filter.split(/,(?![^(]*\))/)).map((part) => {
    const [, column = "", operator = "", value = ""] = /^([^=]+)=(\w+)\.(.*)$/s.exec(part) ?? [];
    const symbol = Object.entries(OPERATORS).find(([name]) => name === operator)?.[1];
    if (symbol === undefined) throw new Refusal(`Error parsing \`filter\` params: ["${operator}", "${value}"]`);
    const written = operator === "in" ? value.replace(/^\((.*)\)$/s, "{$1}") : value;
    return { condition: `${pg.escapeIdentifier(column)} ${symbol}`, value: written };
  });
}
