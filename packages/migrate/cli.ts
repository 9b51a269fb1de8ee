import { parseArgs } from "node:util";
import { readAdminAddress } from "@nectar/config/config";
import { listPending, migrate } from "./migrate.ts";
import { MigrationProblem } from "./migration-problem.ts";

const USAGE = `Usage: npm run migrate            applies the migrations that the database does not have yet
       npm run migrate -- --check   lists them; exit code 1 if there are any`;

async function main(args: string[]): Promise<void> {
  const { check } = readArguments(args);
  const { url, ca } = addressFromEnvironment();
  if (check) {
    const pending = await listPending(url, { ca });
    if (pending.length > 0) throw new MigrationProblem(`Not applied:\n${pending.join("\n")}`);
    console.log("All migrations are applied.");
    return;
  }
  const { applied, later } = await migrate(url, { ca, report: console.log });
  if (later.length > 0) {
    throw new MigrationProblem(`A later release has migrated this database: ${later.join(", ")}. Nothing was applied.`);
  }
  console.log(applied.length === 0 ? "Nothing to apply." : `Applied ${applied.length} migrations.`);
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { check: { type: "boolean", default: false } } }).values;
  } catch {
    throw new MigrationProblem(USAGE);
  }
}

function addressFromEnvironment() {
  try {
    return readAdminAddress();
  } catch (error) {
    throw new MigrationProblem(error instanceof Error ? error.message : String(error));
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof MigrationProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
