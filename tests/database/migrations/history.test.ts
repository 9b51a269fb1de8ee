import { describe, expect, test } from "vitest";
import { migrate } from "#ops/migrate/migrate";
import { createEmptyDatabase, type EmptyDatabase } from "../support/empty-database.ts";
import { createMigrationFolder, FIRST, type MigrationFolder, SECOND, THIRD } from "./migration-folder.ts";

/** A database with both files of a folder applied. */
async function migrated(): Promise<{
  database: EmptyDatabase;
  folder: MigrationFolder;
  again: () => Promise<unknown>;
}> {
  const database = await createEmptyDatabase();
  const folder = createMigrationFolder();
  const again = () => migrate(database.adminUrl, { folder: folder.path });
  await again();
  return { database, folder, again };
}

describe("nothing is applied and the operator reads why", () => {
  test("if a file has changed after it was applied", async () => {
    const { folder, again } = await migrated();
    folder.write(SECOND, "insert into public.steps values ('other')");
    folder.write(THIRD, "insert into public.steps values ('third')");
    await expect(again()).rejects.toThrow(
      `Migrations have changed after they were applied: ${SECOND}. Nothing was applied.`,
    );
  });

  test("if an applied file is gone", async () => {
    const { folder, again } = await migrated();
    folder.remove(FIRST);
    await expect(again()).rejects.toThrow(
      "The database has migrations that this release does not have: 20300101000000. Nothing was applied.",
    );
  });

  test("if a file is older than the last applied one", async () => {
    const { folder, again } = await migrated();
    folder.write("20300101120000_between.sql", "select 1");
    await expect(again()).rejects.toThrow(
      "Migrations are missing that are older than the last applied one (20300102000000): 20300101120000_between.sql.",
    );
  });

  test("if two files have one version", async () => {
    const { folder, again } = await migrated();
    folder.write("20300102000000_twin.sql", "select 1");
    await expect(again()).rejects.toThrow("Two migrations have the version 20300102000000.");
  });

  test("if a file has another form of name", async () => {
    const { folder, again } = await migrated();
    folder.write("4_more.sql", "select 1");
    await expect(again()).rejects.toThrow("4_more.sql is not named like a migration: YYYYMMDDHHMMSS_topic.sql.");
  });
});

test("an earlier release finds nothing to do and is given the versions that it does not know", async () => {
  const { folder, again } = await migrated();
  folder.remove(SECOND);
  expect(await again()).toEqual({ applied: [], later: ["20300102000000"] });
});

describe("files that the Supabase CLI has applied", () => {
  test("count as unchanged although it stored them as single statements", async () => {
    const { database, again } = await migrated();
    await database.query`
      update supabase_migrations.schema_migrations
      set statements = array['create table public.steps (step text)', 'insert into public.steps values (''first'')']
      where version = '20300101000000'`;
    expect(await again()).toEqual({ applied: [], later: [] });
  });

  test("count as unchanged if it did not store their statements", async () => {
    const { database, again } = await migrated();
    await database.query`update supabase_migrations.schema_migrations set statements = null`;
    expect(await again()).toEqual({ applied: [], later: [] });
  });

  test("may be in a table with the columns of Supabase's dashboard", async () => {
    const { database, folder, again } = await migrated();
    await database.query`
      alter table supabase_migrations.schema_migrations
        add column created_by text, add column idempotency_key text unique, add column rollback text[]`;
    folder.write(THIRD, "insert into public.steps values ('third')");
    expect(await again()).toEqual({ applied: [THIRD], later: [] });
  });
});
