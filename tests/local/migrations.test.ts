import { describe, expect, test } from "vitest";
import { migrateLocally } from "#local/database/local-migrations";
import { StartupProblem } from "#local/support/startup-problem";
import { useDatabase } from "#tests/database";
import { query } from "#tests/people";

const database = useDatabase();

const changeHistory = (change: string) =>
  query(database.adminUrl, `update supabase_migrations.schema_migrations ${change}`);

describe("data of an earlier start", () => {
  test("is used if all files are applied", async () => {
    await migrateLocally(database.adminUrl);
  });

  test.each([
    [
      "was renamed",
      "set version = version || '9' where name = 'initial'",
      "set version = left(version, 14) where name = 'initial'",
    ],
    [
      "was rewritten",
      "set statements = array_append(statements, 'select 1') where name = 'initial'",
      "set statements = trim_array(statements, 1) where name = 'initial'",
    ],
    [
      "is not in this checkout",
      "set version = '99999999999999' where name = 'initial'",
      "set version = '20261101000000' where name = 'initial'",
    ],
  ])("is refused with a hint to --fresh if a migration %s", async (_, change, undo) => {
    await changeHistory(change);
    const start = migrateLocally(database.adminUrl);
    await expect(start).rejects.toThrow(StartupProblem);
    await expect(start).rejects.toThrow("npm run dev -- --fresh");
    await changeHistory(undo);
  });
});
