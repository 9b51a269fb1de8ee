import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Connection, withConnection } from "#local/support/connection";
import { listPending, migrate } from "#ops/migrate/migrate";
import { FRONT_CA, startTlsFront } from "#tests/tls-front";
import { createEmptyDatabase, type EmptyDatabase } from "../support/empty-database.ts";
import { createMigrationFolder, FIRST, SECOND, THIRD } from "./migration-folder.ts";

const stepsOf = (database: EmptyDatabase) => database.query`select step from public.steps`;
const historyOf = (database: EmptyDatabase) =>
  database.query`select version, name, statements from supabase_migrations.schema_migrations order by version`;

/** Waits until a migration waits for the advisory lock of a connection. */
async function untilWaitingFor(blocker: Connection): Promise<void> {
  const waiting = () =>
    blocker.query(
      `select from pg_locks
       where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
    );
  while ((await waiting()).rowCount === 0) await sleep(20);
}

test("files are applied once, in their order, and recorded in Supabase's history", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  expect(await migrate(database.adminUrl, { folder: folder.path })).toEqual({ applied: [FIRST, SECOND], later: [] });
  expect(await stepsOf(database)).toEqual([{ step: "first" }, { step: "second" }]);
  expect(await historyOf(database)).toEqual([
    { version: "20300101000000", name: "first", statements: [expect.stringContaining("create table")] },
    { version: "20300102000000", name: "second", statements: [expect.stringContaining("-- The second.")] },
  ]);

  expect(await migrate(database.adminUrl, { folder: folder.path })).toEqual({ applied: [], later: [] });
  folder.write(THIRD, "insert into public.steps values ('third')");
  expect(await migrate(database.adminUrl, { folder: folder.path })).toEqual({ applied: [THIRD], later: [] });
  expect(await stepsOf(database)).toHaveLength(3);
});

test("pending files are listed without a change to the database", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  expect(await listPending(database.adminUrl, { folder: folder.path })).toEqual([FIRST, SECOND]);
  expect(await database.query`select from pg_namespace where nspname = 'supabase_migrations'`).toEqual([]);
  await migrate(database.adminUrl, { folder: folder.path });
  expect(await listPending(database.adminUrl, { folder: folder.path })).toEqual([]);
});

test("of several processes one applies, and the others wait and find nothing to do", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(THIRD, "select pg_sleep(0.2); insert into public.steps values ('third')");
  const results = await Promise.all(
    Array.from({ length: 4 }, () => migrate(database.adminUrl, { folder: folder.path })),
  );
  expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 3]);
  expect(await stepsOf(database)).toHaveLength(3);
});

test("a file that fails leaves nothing behind, and the files before it stay", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "insert into public.steps values ('second');\ninsert into public.nowhere values (1);");
  await expect(migrate(database.adminUrl, { folder: folder.path })).rejects.toThrow(
    `${SECOND}, line 2: relation "public.nowhere" does not exist (42P01). It was rolled back.`,
  );
  expect(await stepsOf(database)).toEqual([{ step: "first" }]);
  expect(await historyOf(database)).toHaveLength(1);
});

test("an error about data does not show the data", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "insert into public.steps values ('dear diary'); select step::integer from public.steps;");
  const failure = migrate(database.adminUrl, { folder: folder.path });
  await expect(failure).rejects.toThrow("invalid data (22P02)");
  await expect(failure).rejects.not.toThrow("dear diary");
});

test("a file that ends its transaction is refused and not recorded", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "insert into public.steps values ('second'); commit;");
  await expect(migrate(database.adminUrl, { folder: folder.path })).rejects.toThrow(`${SECOND} ends its transaction`);
  expect(await historyOf(database)).toHaveLength(1);
});

test("the operator is told to run again if the connection is lost in the middle of a file", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "select pg_advisory_xact_lock(1)");
  const front = await startTlsFront(database.adminUrl);
  await withConnection(database.adminUrl, async (blocker) => {
    await blocker.query("select pg_advisory_lock(1)");
    const migrated = migrate(front.urlFor("localhost"), { folder: folder.path, ca: FRONT_CA });
    const refused = expect(migrated).rejects.toThrow(`${SECOND}: the connection was lost.`);
    await untilWaitingFor(blocker);
    await front.stop();
    await refused;
  });
  expect(await migrate(database.adminUrl, { folder: folder.path })).toEqual({ applied: [SECOND], later: [] });
});

test("settings of a file do not reach the next one", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "set search_path = pg_temp; set role pg_read_all_data; reset role;");
  folder.write(THIRD, "insert into steps values (current_setting('search_path'))");
  await migrate(database.adminUrl, { folder: folder.path });
  expect(await stepsOf(database)).toContainEqual({ step: '"$user", public' });
});

test("a file that waits too long for a lock is rolled back and tried again until it gets the lock", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  await migrate(database.adminUrl, { folder: folder.path });
  folder.write(THIRD, "alter table public.steps add column done boolean; insert into public.steps values ('third')");
  const reports: string[] = [];
  await withConnection(database.adminUrl, async (reader) => {
    await reader.query("begin; select from public.steps");
    const migrated = migrate(database.adminUrl, {
      folder: folder.path,
      lockTimeoutMs: 100,
      report: (step) => reports.push(step),
    });
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    await reader.query("commit");
    expect(await migrated).toEqual({ applied: [THIRD], later: [] });
  });
  expect(reports[0]).toBe(`${THIRD} waited too long for a lock: trying again in 0.1 s.`);
  expect(await stepsOf(database)).toHaveLength(3);
});

test("a process that is killed in the middle of a file loses nothing and repeats nothing", async () => {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  folder.write(SECOND, "insert into public.steps values ('second'); select pg_advisory_xact_lock(1);");
  await withConnection(database.adminUrl, async (blocker) => {
    await blocker.query("select pg_advisory_lock(1)");
    const child = spawn(process.execPath, [
      join(import.meta.dirname, "migrate-fixture.ts"),
      database.adminUrl,
      folder.path,
    ]);
    await untilWaitingFor(blocker);
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  // The server notices the loss of the client only when it writes to it; until then the next process waits.
  expect(await migrate(database.adminUrl, { folder: folder.path })).toEqual({ applied: [SECOND], later: [] });
  expect(await stepsOf(database)).toEqual([{ step: "first" }, { step: "second" }]);
});
