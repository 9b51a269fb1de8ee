import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { TABLES } from "#core/cards/all";
import { COLUMNS } from "#core/cards/columns.generated";
import { MAX_PAGE_BYTES, sentBytes } from "#http/response/paging";
import { fill } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { createCrowd } from "#tests/crowd";
import { useFileStore } from "#tests/file-store";
import { listsOfReference } from "#tests/lists-of-reference";
import { asSuperuser, type Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { copyRow } from "../../world/longest.ts";
import { fillTables } from "../../world/world.ts";
import { GROWN, type List, PAGED, rowsOf, WITHOUT_PAGES } from "./lists.ts";

const Cursor = z.object({ next_cursor: z.string().nullish(), nextCursor: z.string().nullish() });

const lists = listsOfReference();

/** What a Lambda function may return, headers included. */
const MAX_RETURNED_BYTES = 6_291_556 - 10_000;

const api = useApi({ environment: { ...(await useFileStore()), SUPABASE_SECRET_KEY: "secret-key-of-the-tests" } });
const address = `${"a".repeat(242)}@nectar.test`;
const people: Readonly<Record<NonNullable<List["as"]>, Person>> = {
  reader: beforeTests(() => api.person()),
  friend: beforeTests(() => api.person()),
  guest: beforeTests(() => api.person({ email: address })),
  root: beforeTests(() => api.person({ role: "super_admin" })),
};
/** The ids of people and things that SQL of the lists may name, and the address of the guest. */
const names = new Map<string, string>([["address", address]]);
const grown = new Map<string, Promise<void>>();

beforeAll(async () => {
  for (const [name, { id }] of Object.entries(people)) names.set(name, id);
  await asSuperuser(api.adminUrl, async (admin) => {
    const crowd = await createCrowd(admin, 2_010);
    await fillTables(admin, [people.reader.id, people.friend.id], "what is missing");
    await admin.query("set session_replication_role = replica");
    await admin.query(`insert into nectar.workout_checkins (
        user_id, date, activity_type, chain_status, battle_week_start, team_color, status, verified_at)
      values ('${people.reader.id}', '2026-03-03', 'walk', 'continued', '2026-03-02', 'red', 'verified', now())`);
    await admin.query(
      `insert into nectar.blocks (user_id, blocked_id) values ('${people.friend.id}', '${people.root.id}')`,
    );
    // The reader of a logged read is a person other than the author.
    await admin.query(`update private.logged_reads set reader_id = '${people.root.id}'`);
    // The lists show nothing of the friend but the copies.
    for (const table of ["notebooks", "journal_entries", "goals"])
      await admin.query(`delete from nectar.${table} where user_id = $1`, [people.friend.id]);
    await admin.query("create table public.crowd (id uuid, number serial primary key)");
    await admin.query("insert into public.crowd (id) select unnest($1::uuid[])", [crowd]);
    await admin.query(`update nectar.profiles
      set full_name = repeat(chr(1), 100), avatar_url = rpad('https://nectar.test/', 2048, 'a')`);
    await admin.query("update nectar.user_badges set total_drops_sent = 1");
    await admin.query(`update nectar.accounts a set active_tone_pack_id = t.id
      from nectar.tone_packs t where t.owner_id = a.user_id`);
    const { rows } = await admin.query<object>(
      `select (select id from nectar.organizations where owner_id = $1) as organization,
         (select id from nectar.teams where admin_id = $1) as team, (select id from nectar.goals where user_id = $1) as goal,
         (select id from nectar.notebooks where user_id = $1) as notebook,
         (select id from nectar.journal_entries where user_id = $1) as entry,
         (select id from nectar.tone_packs where owner_id = $1) as pack,
         (select squad_id from nectar.chains where user_id = $1) as squad`,
      [people.reader.id],
    );
    for (const [name, id] of Object.entries(rows[0] ?? {})) names.set(name, String(id));
  });
});

/** Replaces names of people and things by their ids. */
const named = (sql: string) => sql.replaceAll(/(?<![:\w]):([a-z]+)/g, (_, name: string) => `'${names.get(name)}'`);

/** The condition of the reader's rows, if rows of the table belong to people. */
function ofReader(table: string): string {
  const { person = "user_id" } = TABLES[table] ?? {};
  const columns: Readonly<Record<string, readonly string[]>> = COLUMNS;
  return columns[table]?.includes(person) ? `${person} = :reader` : "true";
}

/** Copies rows, once for all lists that show them. */
async function grow(name: string): Promise<void> {
  const { table = name, of, changes = {}, ...copies } = GROWN[name] ?? {};
  const known = grown.get(name);
  if (known !== undefined) return known;
  const copying = asSuperuser(api.adminUrl, async (admin) => {
    await admin.query("set session_replication_role = replica");
    const sql = Object.entries(changes).map(([column, value]) => [column, named(value)]);
    await copyRow(admin, table, { ...copies, of: named(of ?? ofReader(table)), changes: Object.fromEntries(sql) });
  });
  grown.set(name, copying);
  return copying;
}

const valueIn = async (sql: string) => (await api.one<{ value: string }>(`select (${sql})::text as value`)).value;

async function pathsOf(
  path: string,
  { rows = "", at, queries = [""], grown: names = [rows.split(" ")[0] ?? ""] }: List,
) {
  for (const name of names) await grow(name);
  const filled = at === undefined ? path : path.replace(/\{\w+\}/, await valueIn(named(at)));
  return Promise.all(
    queries.map(async (query) => {
      const [sql] = /\{.*\}/.exec(query) ?? [];
      return `${filled}?${sql === undefined ? query : query.replace(sql, await valueIn(named(sql.slice(1, -1))))}`;
    }),
  );
}

describe("a page", () => {
  it.each(lists.filter(({ isPaged }) => isPaged))("of nothing is refused at GET $path", async ({ path }) => {
    const filled = fill(path);
    await api.get(`${filled}${filled.includes("?") ? "&" : "?"}limit=0`, people.root).invalid("limit");
  });
});

describe.each(Object.entries(PAGED))("GET %s with the largest rows", (path, list) => {
  it("sends pages that Lambda can return, and every row once", async () => {
    const { rows = "", key: [column, field] = ["id", "id"], as = "reader" } = list;
    for (const one of await pathsOf(path, list)) {
      const { pages, keys } = await walk(one, people[as], field);
      for (const { bytes, rows: count } of pages) {
        // One row always fits, so there is room for one that is larger.
        expect(bytes).toBeLessThanOrEqual(count === 1 ? MAX_RETURNED_BYTES : MAX_PAGE_BYTES);
      }
      const expected = await api.query<{ key: string }>(`select ${column}::text as key from ${named(rows)}`);
      expect(expected.length).toBeGreaterThan(6);
      expect(keys.length, "rows").toBe(expected.length);
      const seen = new Set(keys);
      expect(expected.filter(({ key }) => !seen.has(key))).toEqual([]);
    }
  });
});

describe.each(Object.entries(WITHOUT_PAGES))("GET %s with the largest rows", (path, list) => {
  it("sends a response that Lambda can return", async () => {
    for (const one of await pathsOf(path, list)) {
      const { status, text } = await api.get(one, people[list.as ?? "reader"]);
      expect(status).toBe(200);
      expect(sentBytes(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    }
  });
});

/** Reads a list with the maximum limit, page by page. @returns the size of each page, and the keys of all rows */
async function walk(path: string, as: Person, field: string) {
  const pages: { bytes: number; rows: number }[] = [];
  const keys: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    if (cursors.has(cursor)) throw new Error(`${path} returned the same cursor twice.`);
    cursors.add(cursor);
    const page: string = `${path}&limit=1000000${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const { status, text, body } = await api.get(page, as);
    expect(status).toBe(200);
    const rows = rowsOf(body);
    pages.push({ bytes: sentBytes(text), rows: rows.length });
    keys.push(...rows.map((row) => field.split(".").reduce<unknown>((value, name) => Object(value)[name], row)));
    const { next_cursor, nextCursor } = Cursor.parse(body);
    cursor = next_cursor ?? nextCursor ?? null;
  }
  return { pages, keys };
}
