import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { SchemaDatabases } from "./schema-databases.ts";

const USAGE = `Usage: npm run migration -- <name>    writes a migration from what changed in supabase/schemas
       npm run migration -- --check   exit code 1 if supabase/migrations and supabase/schemas disagree`;

/** Until the first release there is one migration, which is written again; afterwards each change is one more. */
const IS_RELEASED = !(process.env.npm_package_version ?? "").startsWith("0.");
const INITIAL = "20261101000000_initial.sql";
const HEADER = "-- Generated from supabase/schemas by `npm run migration`. Do not edit.\n\n";

const folder = join(SUPABASE_FOLDER, "migrations");
const { values, positionals } = readArguments();
const databases = await SchemaDatabases.start(SUPABASE_FOLDER);
try {
  await (values.check ? check() : write(positionals[0] ?? "initial"));
} finally {
  await databases.stop();
}

async function check(): Promise<void> {
  const { statements } = await databases.plan("from migrations");
  if (statements.length === 0) {
    console.log("supabase/migrations and supabase/schemas agree.");
    return;
  }
  console.error(
    `supabase/migrations and supabase/schemas disagree. Run \`npm run migration -- <name>\`. Missing:\n${statements.slice(0, 20).join("\n")}`,
  );
  process.exitCode = 1;
}

async function write(name: string): Promise<void> {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new Error(USAGE);
  const { statements, files } = await databases.plan(IS_RELEASED ? "from migrations" : "from nothing");
  if (statements.length === 0) {
    console.log("Nothing has changed.");
    return;
  }
  if (!IS_RELEASED) for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const [index, sql] of files.entries()) {
    const file = IS_RELEASED ? `${versionAt(index)}_${name.replaceAll("-", "_")}.sql` : INITIAL;
    writeFileSync(join(folder, file), HEADER + sql);
    console.log(`wrote supabase/migrations/${file}`);
  }
}

/** The version of a file: the current time in UTC, one second more for each further file of a migration. */
function versionAt(index: number): string {
  const moment = new Date(Date.now() + index * 1_000).toISOString();
  return moment.replaceAll(/\D/g, "").slice(0, 14);
}

function readArguments() {
  try {
    return parseArgs({ options: { check: { type: "boolean", default: false } }, allowPositionals: true });
  } catch {
    throw new Error(USAGE);
  }
}
