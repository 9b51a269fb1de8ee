import { randomBytes } from "node:crypto";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createHostedProject, databaseOf, dropDatabase } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { migrate } from "#ops/migrate/migrate";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { useApi } from "#tests/api";
import { downloadExport } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import { tokenFor } from "#tests/people";
import { readMigrations } from "#tools/migration/migration-parts";
import { statementsBetween } from "#tools/migration/schema-databases";
import { reconciled } from "../ledger/reconciliation.ts";

/**
 * A lived-in database of the last release: the demo data, an import of 1,700 entries that was killed when 495 were created, and
 * an export that nobody has begun. The code of that release wrote it (`pg_dump --data-only --inserts`), so it does not
 * depend on the code of today.
 */
const RELEASE = "0.2.0";
const FIXTURES = join(import.meta.dirname, "fixtures");
const SECRET = "a-secret-of-the-scheduler";

const cluster = inject("testCluster");
const api = useApi({
  environment: { ...(await useFileStore()), MAINTENANCE_CRON_SECRET: SECRET, PUBLIC_URL: "http://127.0.0.1:9" },
});
const folder = mkdtempSync(join(tmpdir(), "nectar-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Seen {
  readonly person: string;
  readonly entries: readonly string[];
}

/** The ids of the entries whose content each person may read. */
async function whatEachSees(): Promise<Seen[]> {
  const people = await api.query<{ id: string }>`select id from nectar.profiles order by id`;
  return api.inTransaction(async ({ query }) => {
    const seen: Seen[] = [];
    for (const { id } of people) {
      const claims = JSON.stringify({ sub: id, role: "authenticated" });
      await query`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'nectar_user', true)`;
      const rows = await query<{ id: string }>`
        select entry_id::text as id from nectar.journal_entry_contents order by entry_id`;
      seen.push({ person: id, entries: rows.map((row) => row.id) });
      await query`select set_config('role', 'none', true)`;
    }
    return seen;
  });
}

const hostedProject = (name: string) =>
  createHostedProject({ urlOf: (database) => databaseOf(cluster, database).adminUrl }, name);

/** The entries with a mood, those in the trash included; 0.2.0 had a column of its own for moods that a model found. */
const MOODS_OF_RELEASE = `
  select e.id, coalesce(e.mood, c.found_mood) as mood, case when e.mood is null then 'ai' else 'user' end as mood_source, e.updated_at
  from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id
  where num_nonnulls(e.mood, c.found_mood) > 0
  union all
  select id, coalesce(mood, found_mood), case when mood is null then 'ai' else 'user' end, updated_at
  from nectar.trashed_entries where num_nonnulls(mood, found_mood) > 0 order by id`;
const MOODS = `
  select id, mood, mood_source::text, updated_at from nectar.journal_entries where mood is not null
  union all select id, mood, mood_source::text, updated_at from nectar.trashed_entries where mood is not null order by id`;

let hostedUrl: string;
let before: { readonly seen: readonly Seen[]; readonly ledger: unknown; readonly moods: readonly object[] };

beforeAll(async () => {
  // As on Supabase. Roles belong to the whole cluster, where another test may be making this one at the same moment.
  await api.query`
    do $$ begin
      create role authenticated nologin noinherit;
    exception when duplicate_object or unique_violation then null;
    end $$`;
  const { pathname } = new URL(api.adminUrl);
  await dropDatabase(cluster, pathname.slice(1));
  hostedUrl = await hostedProject(pathname.slice(1));
  // The last release without its seeds, whose rows are in the fixture.
  const released = new Set((await readMigrations(SUPABASE_FOLDER)).released.map(({ file }) => file));
  cpSync(SUPABASE_FOLDER, folder, { recursive: true, filter: (path) => !path.endsWith(".sql") || !/seeds/.test(path) });
  for (const file of await readdir(join(folder, "migrations"))) {
    if (!released.has(file)) rmSync(join(folder, "migrations", file));
  }
  await migrate(hostedUrl, { folder });
  await withConnection(api.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(gunzipSync(readFileSync(join(FIXTURES, `${RELEASE}.sql.gz`))).toString());
  });
  // Two are in the trash; the author of one chose a mood.
  await api.query`update nectar.trashed_entries set found_mood = 'glad'`;
  await api.query`update nectar.workout_windows set previous_activity_type = 'other', previous_custom_activity = 'Golf',
    previous_window_start_time = '23:00', previous_window_end_time = '01:00', previous_timezone = 'Asia/Calcutta'
    where user_id = (select user_id from nectar.workout_windows order by user_id limit 1)`;
  before = { seen: await whatEachSees(), ledger: await reconciled(api), moods: await api.query(MOODS_OF_RELEASE) };
});

it("is left as it was by an upgrade that fails", async () => {
  const broken = mkdtempSync(join(tmpdir(), "nectar-upgrade-"));
  cpSync(SUPABASE_FOLDER, broken, { recursive: true });
  const { unreleased } = await readMigrations(broken);
  // A version without changes of the schema gets a file that fails; all others fail at the end of their last one.
  const file = unreleased.at(-1)?.file ?? "99990101000000_broken.sql";
  appendFileSync(join(broken, "migrations", file), "\nselect nowhere;\n");
  await expect(migrate(hostedUrl, { folder: broken })).rejects.toThrow('column "nowhere" does not exist (42703)');
  expect(await whatEachSees()).toEqual(before.seen);
  expect(await reconciled(api)).toEqual(before.ledger);
  rmSync(broken, { recursive: true });
});

it("has the schema of a fresh database, its ledger and what each person sees", async () => {
  expect(before.ledger).toMatchObject({ ok: true, differences: [] });
  expect(before.seen.filter(({ entries }) => entries.length > 0).length).toBeGreaterThan(5);
  await migrate(hostedUrl);
  const fresh = `fresh_${randomBytes(8).toString("hex")}`;
  await migrate(await hostedProject(fresh));
  expect(await statementsBetween(api.adminUrl, databaseOf(cluster, fresh).adminUrl)).toEqual([]);
  await dropDatabase(cluster, fresh);
  expect(await whatEachSees()).toEqual(before.seen);
  expect(await reconciled(api)).toEqual(before.ledger);
});

it("has every mood, with who found it, and no entry has changed otherwise", async () => {
  for (const [mood, mood_source] of [
    ["contemplative", "ai"],
    ["glad", "ai"],
    ["frustrated", "user"],
  ]) {
    expect(before.moods).toContainEqual(expect.objectContaining({ mood, mood_source }));
  }
  expect(await api.query(MOODS)).toEqual(before.moods);
});

it("has the window that counted before a change", async () => {
  expect(await api.query`select previous from nectar.workout_windows where previous is not null`).toEqual([
    {
      previous: {
        activity_type: "other",
        custom_activity: "Golf",
        window_start_time: "23:00",
        window_end_time: "01:00",
        timezone: "Asia/Kolkata",
      },
    },
  ]);
});

it("goes on with the import and the export that were open", async () => {
  const { id, path, user_id } = await api.one<{ id: string; path: string; user_id: string }>`
    select id, path, user_id from nectar.journal_imports where status = 'running'`;
  const archive = readFileSync(join(FIXTURES, `${RELEASE}.import.zip`));
  await api.services.privateFiles?.upload(path, archive, "application/zip");
  const email = "ada@example.test";
  const ada = { id: user_id, email, token: await tokenFor({ sub: user_id, email }) };
  for (const job of ["/api/journal/imports/cron/continue", "/api/user/cron/exports"]) {
    await api.send("POST", job, { headers: { "x-cron-secret": SECRET } }).ok();
    await api.idle();
  }
  const { import: done } = await api.get(`/api/journal/imports/${id}`, ada).ok();
  expect(done).toMatchObject({ status: "done", created: 1_683 });
  const { entries } = await api.one<{ entries: number }>`
    select count(*)::int as entries from nectar.journal_entries where user_id = ${ada.id}`;
  expect(entries).toBe(1_683);
  const open = await api.one<{ id: string }>`select id from nectar.exports where user_id = ${ada.id}`;
  expect((await downloadExport(api, ada, open.id)).data("entries")).toHaveLength(1_683);
});
