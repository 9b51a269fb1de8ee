import { parseArgs } from "node:util";
import { InvalidEnvironment, readOperatorConfig } from "#config/config";
import { setApiPassword } from "./api-password.ts";
import { listPending, migrate } from "./migrate.ts";
import { MigrationProblem } from "./migration-problem.ts";

const USAGE = `Usage: npm run migrate                     applies the migrations that the database does not have yet
       npm run migrate -- --check          lists them; exit code 1 if there are any
       npm run migrate -- --set-password   then gives nectar_api the password in DATABASE_URL
       npm run migrate -- --allow-later    succeeds also if a later release has migrated the database`;

async function main(args: string[]): Promise<void> {
  const options = readArguments(args);
  const { admin, apiUrl } = readOperatorConfig();
  const { url, ca } = admin;
  if (options.check) {
    const pending = await listPending(url, { ca });
    if (pending.length > 0) throw new MigrationProblem(`Not applied:\n${pending.join("\n")}`);
    console.log("All migrations are applied.");
    return;
  }
  const { applied, later } = await migrate(url, { ca, report: console.log });
  if (later.length > 0 && !options["allow-later"]) {
    throw new MigrationProblem(`A later release has migrated this database: ${later.join(", ")}. Nothing was applied.`);
  }
  console.log(applied.length === 0 ? "Nothing to apply." : `Applied ${applied.length} migrations.`);
  if (!options["set-password"]) return;
  if (apiUrl === undefined) throw new MigrationProblem("DATABASE_URL is missing: its password is the one to set.");
  await setApiPassword(admin, apiUrl);
  console.log("nectar_api has the password of DATABASE_URL.");
}

const SWITCH = { type: "boolean", default: false } as const;

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { check: SWITCH, "set-password": SWITCH, "allow-later": SWITCH } }).values;
  } catch {
    throw new MigrationProblem(USAGE);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof MigrationProblem || error instanceof InvalidEnvironment)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
