import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { SchemaDatabases } from "#tools/migration/schema-databases";

/** A copy of the folder `supabase`, which the test may change. */
function copyOfSupabase(): string {
  const folder = mkdtempSync(join(tmpdir(), "nectar-schemas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(SUPABASE_FOLDER, folder, { recursive: true });
  return folder;
}

async function databasesOf(folder: string): Promise<SchemaDatabases> {
  const databases = await SchemaDatabases.start(folder);
  onTestFinished(() => databases.stop());
  return databases;
}

test("changes of schemas become a migration that leads to them", async () => {
  const folder = copyOfSupabase();
  const goals = join(folder, "schemas/goals/goals.sql");
  const text = readFileSync(goals, "utf8");
  writeFileSync(goals, text.replace(/(create type nectar\.goal_status as enum \()/, "$1'planned', "));
  appendFileSync(
    goals,
    `alter table nectar.goals add column stars smallint not null default 0 check (stars between 0 and 3 and stars <> 2);`,
  );
  const { statements } = await (await databasesOf(folder)).plan("from migrations");
  expect(statements.join("\n")).toMatch(/ADD VALUE 'planned' BEFORE/);
  expect(statements.join("\n")).toMatch(/ADD COLUMN "stars"/);
});

test("a schema that fails is named", async () => {
  const folder = copyOfSupabase();
  appendFileSync(join(folder, "schemas/goals/goals.sql"), "select nowhere;");
  await expect((await databasesOf(folder)).plan("from migrations")).rejects.toMatchObject({
    message: "supabase/schemas/goals/goals.sql failed.",
    cause: expect.objectContaining({ message: 'column "nowhere" does not exist' }),
  });
});
