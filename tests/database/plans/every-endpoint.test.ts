import { sql } from "kysely";
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "#core/cards/all";
import { allApps, routeToGroups } from "#functions/all";
import type { ReplicaUse } from "#http/access/request-database";
import { QUERIES, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { useFileStore } from "#tests/file-store";
import { asSuperuser, type Person, tokenFor } from "#tests/people";
import { GROWING, WORLD } from "../../world/world.ts";
import { useOf, watched } from "./replica-use.ts";

/** One connection makes all reads, so that it can report them. */
const api = useApi({ filling: WORLD, environment: { ...(await useFileStore()), DATABASE_POOL_SIZE: "1" } });

/** Rows that make reading a whole table dearer than an index; so many of its own the reader has in many of them. */
const MANY = 1_000;
/** How many rows of a table a response may look up: a page, and what belongs to it. */
const MAX_ROWS = 700;

/** Filters of lists whose rows are found by other indexes, or passed by. */
const FILTERED: Readonly<Record<string, readonly string[]>> = {
  "/api/admin/audit": [
    "action=updateDropConfig",
    "actor_id=00000000-0000-4000-8000-0000000000aa",
    "target_id=00000000-0000-4000-8000-0000000000bb",
  ],
  "/api/admin/reports": ["status=open", "target_type=drop", "status=open&target_type=drop"],
  "/api/drops/transactions": ["type=monthly_recurring"],
  "/api/encouragement-drops/received": ["unread=true"],
  "/api/encouragement-drops/templates": ["type=encouragement"],
  "/api/goals": ["status=active"],
  "/api/notifications": ["unread=true"],
};

/** Responses that count rows or list a whole date, and those of goals, whose check-ins the planner sorts. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  "/api/user/usage": ["nectar.token_usage"],
  "/api/journal/tags": ["nectar.journal_entries"],
  "/api/journal/stats": ["nectar.journal_entries", "nectar.wellness_entries"],
  // Its entries are counted up to 1,000, and the reader's copies are in one of the notebooks.
  "/api/notebooks/{id}": ["nectar.journal_entries"],
  "/api/journal/mood-calendar.svg": ["nectar.journal_entries", "nectar.wellness_entries"],
  "/api/goals/{id}": ["nectar.goal_check_ins"],
  "/api/goals/{id}/check-ins": ["nectar.goal_check_ins"],
  "/api/today": ["nectar.journal_entries", "nectar.goals"],
  "/api/workout-window/admin/teams/{date}": ["nectar.chains"],
  "/api/workout-window/checkins/{date}": ["nectar.chains", "nectar.workout_checkins"],
  "/api/workout-window/mosaic/{date}": ["nectar.mosaic_sections"],
};

/** Things of which a person has few, or an entry. */
const FEW = new Set(["nectar.organizations", "nectar.teams", "nectar.tone_packs", "nectar.entry_pictures"]);

/** Responses that count all users or list all players of a date, which here are all users: they read these tables whole. */
const ABOUT_EVERYONE: Readonly<Record<string, readonly string[]>> = {
  "/api/admin/users": ["nectar.accounts", "nectar.profiles"],
  "/api/workout-window/admin/ai-users": ["nectar.profiles", "nectar.synthetic_users"],
  "/api/workout-window/admin/teams/{date}": ["nectar.profiles"],
  "/api/workout-window/mosaic/{date}": ["nectar.profiles"],
  "/api/admin/drops/reconcile": [
    "nectar.accounts",
    "nectar.drop_transactions",
    "nectar.monthly_drop_awards",
    "nectar.profiles",
    "nectar.tone_pack_purchases",
    "nectar.tone_packs",
  ],
};

const ROUTES = [
  ...signedInRoutes()
    .filter(({ method }) => method === "GET")
    .map(({ path }) => ({ path, query: QUERIES[path] ?? "" })),
  ...Object.entries(FILTERED).flatMap(([path, queries]) => queries.map((query) => ({ path, query: `?${query}` }))),
].map((route) => [route.path + route.query, route] as const);
let root: Person;
let reader: Pick<Person, "token">;
let growing: { name: string; rows: number }[];
/** Things of the reader, by the path before their id. */
let ids: Readonly<Record<string, string>>;
let date: string;

beforeAll(async () => {
  root = await api.person({ role: "super_admin" });
  await asSuperuser(api.adminUrl, async (client) => {
    const result = {
      redRobotPower: 0,
      blueRobotPower: 0,
      badGuyPower: 100,
      rounds: [],
      finalOutcome: "A tie.",
      seed: "",
    };
    await client.query(
      `update nectar.battles set battle_status = 'completed', winner = 'tie', battle_result = $1, daily_chips = '[]'
       where week_start_date = (select min(week_start_date) from nectar.battles)`,
      [JSON.stringify(result)],
    );
  });
  const found = await api.one<{ reader: string; date: string; ids: Record<string, string> }>`
    select m.user_id as reader, d.date::text as date,
      json_build_object(
        '/api/email/messages/', (select id from private.email_messages where user_id = m.user_id limit 1),
        '/api/encouragement-drops/badge/', m.user_id,
        '/api/goals/', (select id from nectar.goals where user_id = m.user_id limit 1),
        '/api/journal/', (select id from nectar.journal_entries where user_id = m.user_id limit 1),
        '/api/journal/{id}/audience/', m.user_id,
        '/api/goals/{id}/audience/', m.user_id,
        '/api/journal/imports/', (select id from nectar.journal_imports where user_id = m.user_id limit 1),
        '/api/notebooks/', (select id from nectar.notebooks where user_id = m.user_id limit 1),
        '/api/organizations/', m.org_id,
        '/api/teams/', m.team_id,
        '/api/tone-packs/', (select id from nectar.tone_packs where owner_id = m.user_id limit 1),
        '/api/user/exports/', (select id from nectar.exports where user_id = m.user_id limit 1),
        '/api/wellness-entries/', (select id from nectar.wellness_entries where user_id = m.user_id limit 1),
        '/api/users/', (select max(user_id::text) from nectar.organization_members where org_id = m.org_id),
        '/api/workout-window/battle/week/', private.week_start(d.date),
        '/api/workout-window/battle/week/{weekStartDate}/proof', (select min(week_start_date) from nectar.battles)
      ) as ids
    from nectar.team_members m
    join nectar.organizations o on o.id = m.org_id and o.owner_id = m.user_id
    cross join (select (now() at time zone 'UTC')::date - 1 as date) d
    where m.user_id not in (private.system_user_id(), ${root.id})
    order by m.user_id
    limit 1 offset 1000
  `;
  ({ date, ids } = found);
  growing = await asSuperuser(api.adminUrl, async (client) => {
    await copyRows(client, found.reader);
    const { rows } = await client.query<{ name: string; rows: number }>(
      "select name, reltuples::int as rows from unnest($1::text[]) name join pg_class c on c.oid = name::regclass",
      [GROWING],
    );
    return rows;
  });
  reader = { token: await tokenFor({ sub: found.reader, email: "reader@example.test" }) };
});

/** Gives a person copies of one of their rows in each growing table, made one a minute, as far as there may be several. */
async function copyRows(client: pg.ClientBase, person: string): Promise<void> {
  await client.query("set session_replication_role = replica");
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select name, string_agg(quote_ident(attname), ', ') as columns
     from unnest($1::text[]) name join pg_attribute on attrelid = name::regclass
     where attnum > 0 and not attisdropped and attgenerated = ''
     group by name having array_agg(attname::text) @> '{id,created_at}'`,
    [GROWING],
  );
  for (const { name, columns } of rows) {
    const owner = TABLES[name]?.person ?? "user_id";
    if (FEW.has(name) || !columns.split(", ").includes(owner)) continue;
    await client.query(
      `insert into ${name} (${columns})
       select ${columns.replaceAll(/\w+/g, "r.$&")}
       from ${name} t
       cross join generate_series(1, $2::integer) k
       cross join jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'created_at', t.created_at - k * interval '1 minute',
         'date_sent', ((t.created_at - k * interval '1 minute') at time zone 'UTC')::date)) r
       where t.ctid = (select o.ctid from ${name} o where o.${owner} = $1 limit 1)
       on conflict do nothing`,
      [person, MANY],
    );
  }
  await client.query("set session_replication_role = origin");
  await client.query(`vacuum analyze ${rows.map(({ name }) => name).join(", ")}`);
}

/** An address of the route, with ids of things that the reader may see. */
function addressOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, (_, start: number) => ids[path] ?? ids[path.slice(0, start)] ?? date);
}

/** How often a table was read as a whole, and how many of its rows were looked up. */
interface Reads {
  readonly whole: number;
  readonly rows: number;
}

/** The reads of each growing table so far. The connection reports them before it takes the next statement. */
async function readsOfTables(): Promise<Map<string, Reads>> {
  await api.database.asService((tx) => sql`select pg_stat_force_next_flush()`.execute(tx));
  const rows = await api.query<Reads & { name: string }>`
    select schemaname || '.' || relname as name, seq_scan::int as whole, idx_tup_fetch::int as rows
    from pg_stat_user_tables
    where schemaname || '.' || relname = any (${GROWING})`;
  return new Map(rows.map(({ name, ...reads }) => [name, reads]));
}

describe("with many rows in every table that grows", () => {
  it("these tables are full", () => {
    expect(growing.filter(({ rows }) => rows < MANY)).toEqual([]);
  });

  it("reading a whole table, or all rows of a person, would be noticed", async () => {
    const before = await readsOfTables();
    await api.database.asUser(ids["/api/encouragement-drops/badge/"] ?? "", async (tx) => {
      await tx.selectFrom("profiles").select("id").where("full_name", "=", "No One").execute();
      await tx.selectFrom("wellness_entries").select("id").where("content", "=", "None").execute();
    });
    const after = await readsOfTables();
    expect(after.get("nectar.profiles")?.whole).toBe((before.get("nectar.profiles")?.whole ?? 0) + 1);
    const read = (reads: typeof after) => reads.get("nectar.wellness_entries")?.rows ?? 0;
    expect(read(after)).toBeGreaterThan(read(before) + MAX_ROWS);
  });

  it.each(ROUTES)("GET %s reads no growing table as a whole, and few rows", async (_, { path, query }) => {
    const before = await readsOfTables();
    const url = addressOf(path) + query;
    // From the sixth call on, a function may keep a plan for any parameters.
    const CALLS = 7;
    for (let n = 0; n < CALLS; n += 1) {
      const { status } = await api.send("GET", url, { as: path.includes("/admin/") ? root : reader });
      // 503: a vendor is not configured here.
      expect([200, 503]).toContain(status);
    }
    const grown = [...(await readsOfTables())].map(([name, { whole, rows }]) => ({
      name,
      whole: whole - (before.get(name)?.whole ?? 0),
      rows: (rows - (before.get(name)?.rows ?? 0)) / CALLS,
    }));
    const everyones = ABOUT_EVERYONE[path] ?? [];
    expect(grown.filter(({ name, whole }) => whole > 0 && !everyones.includes(name))).toEqual([]);
    const counted = [...everyones, ...(COUNTED[path] ?? [])];
    expect(grown.filter(({ name, rows }) => rows > MAX_ROWS && !counted.includes(name))).toEqual([]);
  });
});

it("whether a replica may serve an endpoint follows from the policies of the tables that it reads", async () => {
  let tables = new Set<string>();
  const database = watched(api.database, (table) => tables.add(table));
  const client = clientOf(routeToGroups({ ...api.services, database }));
  const said: Record<string, ReplicaUse | undefined> = {};
  const found: typeof said = {};
  for (const { method, path, access, definition } of allApps(api.services).flatMap(({ app }) => app.endpoints)) {
    const route = path.replaceAll(/:(\w+)/g, "{$1}");
    if (method !== "GET" || !access.startsWith("read") || route.includes("/admin/")) continue;
    tables = new Set();
    const { status } = await client.send(method, addressOf(route) + (QUERIES[route] ?? ""), { as: reader });
    expect.soft([route, [200, 400, 503].includes(status)]).toEqual([route, true]);
    said[path] = definition.replica;
    found[path] = useOf(tables);
  }
  expect(said).toEqual(found);
});
