import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { InvalidEnvironment, readBackupConfig } from "#config/config";
import { describeFailure } from "#http/telemetry/logging";
import { s3Files } from "#providers/private-files";
import { MigrationProblem } from "../migrate/migration-problem.ts";
import { type BackupPlan, backUp, readLastBackup } from "./backup.ts";
import { isBackupDue } from "./nights.ts";
import { bucketStore, folderStore } from "./stores.ts";

const USAGE = `Usage: npm run backup                 saves the database once
       npm run backup -- --nightly    saves it every night, and again after an hour if that failed`;

const HOUR_MS = 3_600_000;

// As the first process of a container it would get no signal without this.
process.once("SIGTERM", () => process.exit(143));

async function main(args: string[]): Promise<void> {
  const { nightly } = readArguments(args);
  const { admin, files, folder, hour, bucket } = readBackupConfig();
  const plan: BackupPlan = {
    admin,
    files: files && s3Files(files),
    folder,
    store: bucket === null ? folderStore(folder) : bucketStore(s3Files(bucket)),
    clock: { now: () => new Date() },
  };
  if (!nightly) return saveOnce(plan);
  for (;;) {
    try {
      if (isBackupDue(await readLastBackup(admin), plan.clock.now(), hour)) await saveOnce(plan);
    } catch (error) {
      console.error("No backup was made:", isExplained(error) ? error.message : describeFailure(error));
    }
    await sleep(HOUR_MS);
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { nightly: { type: "boolean", default: false } } }).values;
  } catch {
    throw new MigrationProblem(USAGE);
  }
}

async function saveOnce(plan: BackupPlan): Promise<void> {
  const { name, bytes, tables, files } = await backUp(plan);
  console.log(`Saved ${name}: ${tables} tables in ${bytes} bytes, and a list of ${files} files.`);
}

/** Whether the message of an error tells an operator what to do. */
function isExplained(error: unknown): error is Error {
  return error instanceof MigrationProblem || error instanceof InvalidEnvironment;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isExplained(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
