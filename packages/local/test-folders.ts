import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresAccount } from "./postgres-account.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { locateCluster, removeCluster } from "./postgres-location.ts";
import { identify, isRunning, ProcessIdentity } from "./processes.ts";

const OWNER_FILE = "owner.json";

/** Writes into a test run's folder which process it belongs to. */
export function claimTestFolder(folder: string): void {
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(identify(process.pid)));
}

/** Ends the servers and removes the folders of test runs that were killed. */
export async function sweepTestFolders(temporary: string = tmpdir()): Promise<void> {
  for (const name of readdirSync(temporary)) {
    if (!name.startsWith("nectar-test-")) continue;
    const folder = join(temporary, name);
    if (!isAbandoned(folder)) continue;
    if (existsSync(join(folder, "postgres"))) {
      const { cluster } = await locateCluster(folder, await postgresAccount());
      await stopLeftoverPostgres(cluster);
    }
    removeCluster(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAbandoned(folder: string): boolean {
  try {
    return !isRunning(ProcessIdentity.parse(JSON.parse(readFileSync(join(folder, OWNER_FILE), "utf8"))));
  } catch {
    // The owner is not written yet, or the folder is not ours.
    return false;
  }
}
