import { isDeepStrictEqual, parseArgs } from "node:util";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import packageJson from "../../package.json" with { type: "json" };
import { composeUnreleased, freeze, readMigrations, writeUnreleased } from "./migration-parts.ts";
import { SchemaDatabases } from "./schema-databases.ts";

const USAGE = `Usage: npm run migration              writes the migration of the version in package.json anew
       npm run migration -- --check   exit code 1 if supabase/migrations and supabase/schemas disagree
       npm run migration -- --release freezes all migrations: they are released`;

const values = readArguments();
if (values.release) await freeze(SUPABASE_FOLDER);
else await compose();

async function compose(): Promise<void> {
  const databases = await SchemaDatabases.start(SUPABASE_FOLDER);
  try {
    const files = await composeUnreleased(SUPABASE_FOLDER, packageJson.version, databases);
    if (!values.check) {
      await writeUnreleased(SUPABASE_FOLDER, files);
      console.log(files.map(({ file }) => `wrote supabase/migrations/${file}`).join("\n") || "Nothing has changed.");
      return;
    }
    const { unreleased } = await readMigrations(SUPABASE_FOLDER);
    const present = unreleased.map(({ file, sql }) => ({ file, sql }));
    if (isDeepStrictEqual(present, files)) return console.log("supabase/migrations and supabase/schemas agree.");
    console.error("supabase/migrations is not what supabase/schemas and supabase/moves say. Run `npm run migration`.");
    process.exitCode = 1;
  } finally {
    await databases.stop();
  }
}

function readArguments() {
  const SWITCH = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ options: { check: SWITCH, release: SWITCH } }).values;
  } catch {
    throw new Error(USAGE);
  }
}
