import { LOCAL_SUPABASE_KEYS } from "@nectar/local/local-defaults";
import { hasPendingMigrations } from "@nectar/local/pending-migrations";
import { StartupProblem } from "@nectar/local/startup-problem";
import { migrate } from "@nectar/local/supabase";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../support/database.ts";
import { query } from "../support/people.ts";
import { useFolder } from "./supabase.ts";

const database = useDatabase();
const dataFolder = useFolder();

const changeHistory = (change: string) =>
  query(database.adminUrl, `update supabase_migrations.schema_migrations ${change}`);

describe("data of an earlier start", () => {
  test("needs no migration if all files are applied", async () => {
    expect(await hasPendingMigrations(database.adminUrl)).toBe(false);
  });

  test.each([
    [
      "was renamed",
      "set version = version || '9' where name = 'sharing'",
      "set version = left(version, 14) where name = 'sharing'",
    ],
    [
      "was rewritten",
      "set statements = array_append(statements, 'select 1') where name = 'sharing'",
      "set statements = trim_array(statements, 1) where name = 'sharing'",
    ],
  ])("is refused with a hint to --fresh if a migration %s", async (_, change, undo) => {
    await changeHistory(change);
    const start = migrate({ dataFolder, databaseUrl: database.adminUrl, keys: LOCAL_SUPABASE_KEYS });
    await expect(start).rejects.toThrow(StartupProblem);
    await expect(start).rejects.toThrow("npm run dev -- --fresh");
    await changeHistory(undo);
  });

  test("needs a migration if there is a new file", async () => {
    await query(
      database.adminUrl,
      `delete from supabase_migrations.schema_migrations
       where version = (select max(version) from supabase_migrations.schema_migrations)`,
    );
    expect(await hasPendingMigrations(database.adminUrl)).toBe(true);
  });
});
