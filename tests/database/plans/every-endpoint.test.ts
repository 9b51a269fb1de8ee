import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { QUERIES, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { fillGrowingTables, readGrowingTables } from "#tests/growing-tables";
import { asSuperuser, type Person, tokenFor } from "#tests/people";
import { gatherCrowd } from "./crowd.ts";

const api = useApi({ environment: await useFileStore() });

/** Rows that make reading a whole table dearer than an index. */
const MANY = 1_000;

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

const routes = signedInRoutes().filter(({ method }) => method === "GET");
let root: Person;
let reader: Pick<Person, "token">;
let growing: { name: string; rows: number }[];
/** Things of the reader, by the path before their id. */
let ids: Readonly<Record<string, string>>;
let date: string;

beforeAll(async () => {
  root = await api.person({ role: "super_admin" });
  await asSuperuser(api.adminUrl, async (client) => {
    await gatherCrowd(client);
    await fillGrowingTables(client);
    growing = await readGrowingTables(client);
  });
  const found = await api.one<{ reader: string; date: string; ids: Record<string, string> }>`
    select m.user_id as reader, d.date::text as date,
      json_build_object(
        '/api/email/messages/', (select id from private.email_messages where user_id = m.user_id limit 1),
        '/api/encouragement-drops/badge/', m.user_id,
        '/api/goals/', (select id from nectar.goals where user_id = m.user_id limit 1),
        '/api/journal/', (select id from nectar.journal_entries where user_id = m.user_id limit 1),
        '/api/journal/{id}/audience/', m.user_id,
        '/api/journal/imports/', (select id from nectar.journal_imports where user_id = m.user_id limit 1),
        '/api/notebooks/', (select id from nectar.notebooks where user_id = m.user_id limit 1),
        '/api/organizations/', m.org_id,
        '/api/teams/', m.team_id,
        '/api/tone-packs/', (select id from nectar.tone_packs where owner_id = m.user_id limit 1),
        '/api/user/exports/', (select id from nectar.exports where user_id = m.user_id limit 1),
        '/api/users/', (select max(user_id::text) from nectar.organization_members where org_id = m.org_id),
        '/api/workout-window/battle/week/', private.week_start(d.date)
      ) as ids
    from nectar.team_members m
    join nectar.organizations o on o.id = m.org_id and o.owner_id = m.user_id
    cross join (select (now() at time zone 'UTC')::date - 1 as date) d
    where m.user_id not in (private.system_user_id(), ${root.id})
    order by m.user_id
    limit 1
  `;
  ({ date, ids } = found);
  reader = { token: await tokenFor({ sub: found.reader, email: "reader@example.test" }) };
});

/** Reads how often each growing table was read as a whole; a connection reports its reads when it ends. */
async function readWholeReads(): Promise<Map<string, number>> {
  await api.cutConnections();
  const isConnected = async () =>
    (await api.query`select from pg_stat_activity where datname = current_database() and usename = 'nectar_api'`)
      .length > 0;
  while (await isConnected()) await sleep(5);
  const rows = await api.query<{ name: string; reads: number }>`
    select schemaname || '.' || relname as name, seq_scan::int as reads from pg_stat_user_tables
    where schemaname || '.' || relname = any (${growing.map(({ name }) => name)})`;
  return new Map(rows.map(({ name, reads }) => [name, reads]));
}

describe("with many rows in every table that grows", () => {
  it("these tables are full", () => {
    expect(growing.filter(({ rows }) => rows < MANY)).toEqual([]);
  });

  it("reading a whole table would be noticed", async () => {
    const before = await readWholeReads();
    await api.database.asUser(root.id, (tx) =>
      tx.selectFrom("profiles").select("id").where("full_name", "=", "No One").execute(),
    );
    const after = await readWholeReads();
    expect(after.get("nectar.profiles")).toBe((before.get("nectar.profiles") ?? 0) + 1);
  });

  it.each(routes)("GET $path reads no growing table as a whole", async ({ path, forAdmins }) => {
    const before = await readWholeReads();
    const filled = path.replaceAll(/\{\w+\}/g, (_, start: number) => ids[path.slice(0, start)] ?? date);
    const url = filled + (QUERIES[path] ?? "");
    // From the sixth call on, a function may keep a plan for any parameters.
    for (let n = 0; n < 7; n += 1) {
      const { status } = await api.send("GET", url, { as: forAdmins ? root : reader });
      // 503: a vendor is not configured here.
      expect([200, 503]).toContain(status);
    }
    const after = await readWholeReads();
    const read = [...after].filter(([name, reads]) => reads > (before.get(name) ?? 0)).map(([name]) => name);
    expect(read.filter((name) => ABOUT_EVERYONE[path]?.includes(name) !== true)).toEqual([]);
  });
});
