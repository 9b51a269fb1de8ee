import { expect, test } from "vitest";
import { readMigrationFiles, SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { useDatabase } from "#tests/database";
import { runProgram } from "./dev-process.ts";

const database = useDatabase();

const run = (args: string[], adminUrl: string = database.adminUrl, others: Record<string, string> = {}) =>
  runProgram("../../ops/migrate/cli.ts", args, { DATABASE_ADMIN_URL: adminUrl, ...others });

const databaseWithoutMigrations = () => database.adminUrl.replace(/[^/]+$/, "postgres");

test("a database with all migrations needs none", async () => {
  expect(await run([])).toEqual({ code: 0, output: "Nothing to apply.\n" });
  expect(await run(["--check"])).toEqual({ code: 0, output: "All migrations are applied.\n" });
});

test("--check lists what is missing and exits with 1", async () => {
  const files = (await readMigrationFiles(SUPABASE_FOLDER)).map(({ file }) => file);
  expect(await run(["--check"], databaseWithoutMigrations())).toEqual({
    code: 1,
    output: `Not applied:\n${files.join("\n")}\n`,
  });
});

test("a database that a later release has migrated is refused without --allow-later", async () => {
  await database.query`insert into supabase_migrations.schema_migrations (version) values ('20990101000000')`;
  expect(await run([])).toEqual({
    code: 1,
    output: "A later release has migrated this database: 20990101000000. Nothing was applied.\n",
  });
  expect(await run(["--allow-later"])).toEqual({ code: 0, output: "Nothing to apply.\n" });
  await database.query`delete from supabase_migrations.schema_migrations where version = '20990101000000'`;
});

test.each([
  ["no address is given", [], "", "DATABASE_ADMIN_URL: is missing"],
  ["the address is of the transaction pooler", [], "postgres://postgres:secret@pooler:6543/postgres", "session pooler"],
  ["no server responds", [], "postgres://postgres:secret@127.0.0.1:1/postgres", "cannot be reached (ECONNREFUSED)"],
  ["an argument is unknown", ["--force"], "postgres://127.0.0.1:1/postgres", "Usage: npm run migrate"],
])("the command says what is wrong if %s, without the password", async (_, args, adminUrl, sentence) => {
  const { code, output } = await run(args, adminUrl);
  expect(code).toBe(1);
  expect(output).toContain(sentence);
  expect(output).not.toContain("secret");
  expect(output).not.toContain("    at ");
});

test.each([
  ["there is no address of the functions", "", "DATABASE_URL is missing"],
  ["the address has another role", "postgres://postgres:hush@127.0.0.1/postgres", "not of the role nectar_api"],
  ["the address has no password", "postgres://nectar_api@127.0.0.1/postgres", "is missing or has characters"],
  ["the password is not plain ASCII", "postgres://nectar_api:hush%C3%A9@127.0.0.1/postgres", "characters beyond ASCII"],
])("no password is set if %s", async (_, apiUrl, sentence) => {
  const { code, output } = await run(["--set-password"], database.adminUrl, { DATABASE_URL: apiUrl });
  expect(code).toBe(1);
  expect(output).toContain(sentence);
  expect(output).not.toContain("hush");
});
