import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { LONG } from "#tests/long";
import { composeUnreleased, freeze, readMigrations, writeUnreleased } from "#tools/migration/migration-parts";
import { SchemaDatabases } from "#tools/migration/schema-databases";

/** The migrations of a copy of the folder `supabase`, which the test may change. */
async function useMigrations() {
  const folder = mkdtempSync(join(tmpdir(), "nectar-schemas-"));
  cpSync(SUPABASE_FOLDER, folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compose = async (version: string) => {
    const databases = await SchemaDatabases.start(folder);
    return composeUnreleased(folder, version, databases).finally(() => databases.stop());
  };
  return { folder, compose };
}

const GOALS = "schemas/goals/goals.sql";

// Each composition compares whole databases for ten seconds, so one is made before a commit and all at night.
test("changes of schemas become the migration of a version, with the parts by hand", async () => {
  const { folder, compose } = await useMigrations();
  await freeze(folder);
  const goals = readFileSync(join(folder, GOALS), "utf8");
  writeFileSync(
    join(folder, GOALS),
    `${goals.replace(/(create type nectar\.goal_status as enum \()/, "$1'planned', ")}
     alter table nectar.goals add column stars smallint not null check (stars between 0 and 3 and stars <> 2);`,
  );
  for (const [when, sql] of [
    ["before", "alter table nectar.goals add column stars smallint; update nectar.goals set stars = 0;"],
    ["after", "update nectar.goals set stars = 3 where status = 'planned';"],
  ] as const) {
    mkdirSync(join(folder, "moves", when), { recursive: true });
    writeFileSync(join(folder, "moves", when, "stars.sql"), sql);
  }
  const files = await compose("9.1.0");
  expect(files.map(({ file }) => file)).toEqual([
    expect.stringMatching(/^\d{12}01_v9_1_0_enum_values\.sql$/),
    expect.stringMatching(/^\d{12}02_v9_1_0_changes\.sql$/),
  ]);
  expect(files[0]?.sql).toMatch(/ADD VALUE 'planned' BEFORE/);
  expect(files[1]?.sql).toMatch(
    /moves\/before\/stars\.sql\nalter table [\s\S]*"stars" SET NOT NULL[\s\S]*moves\/after\/stars\.sql\nupdate/,
  );

  await writeUnreleased(folder, files);
  const { unreleased } = await readMigrations(folder);
  expect(unreleased).toMatchObject(files);
});

test.runIf(LONG)("a part by hand that leads away from the schemas is refused", async () => {
  const { folder, compose } = await useMigrations();
  mkdirSync(join(folder, "moves/after"), { recursive: true });
  writeFileSync(join(folder, "moves/after/stars.sql"), "alter table nectar.goals add column stars smallint;");
  await expect(compose("9.1.0")).rejects.toThrow("The migrations do not lead to the schemas:\nALTER TABLE");
});

test.runIf(LONG)("changes after a release need another version", async () => {
  const { folder, compose } = await useMigrations();
  appendFileSync(join(folder, GOALS), "alter table nectar.goals add column stars smallint;");
  await writeUnreleased(folder, await compose("9.1.0"));

  await freeze(folder);
  appendFileSync(join(folder, GOALS), "alter table nectar.goals add column moons smallint;");
  await expect(compose("9.1.0")).rejects.toThrow("_v9_1_0_changes.sql is released. Raise the version");
  expect(await compose("9.2.0")).toHaveLength(1);
});

test("a released migration that was changed or removed is named", async () => {
  const { folder } = await useMigrations();
  const { released } = await readMigrations(folder);
  const file = join(folder, "migrations", released[0]?.file ?? "");
  appendFileSync(file, "-- more");
  await expect(readMigrations(folder)).rejects.toThrow(
    "Released migrations must not change: 20261101000000_initial.sql.",
  );
  rmSync(file);
  await expect(readMigrations(folder)).rejects.toThrow("Released migrations must not change");
});

test("a schema that fails is named", async () => {
  const { folder, compose } = await useMigrations();
  appendFileSync(join(folder, GOALS), "select nowhere;");
  await expect(compose("9.1.0")).rejects.toMatchObject({
    message: "supabase/schemas/goals/goals.sql failed.",
    cause: expect.objectContaining({ message: 'column "nowhere" does not exist' }),
  });
});
