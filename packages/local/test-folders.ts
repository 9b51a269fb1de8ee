import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresAccount } from "./postgres-account.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { placeCluster, removeCluster } from "./postgres-place.ts";
import { identify, isIdentity, isRunning } from "./processes.ts";

const ownerFile = "owner.json";

/** Notes in a test run's folder which process it belongs to. */
export function claimTestFolder(folder: string): void {
  writeFileSync(join(folder, ownerFile), JSON.stringify(identify(process.pid)));
}

/** Ends the servers and removes the folders of test runs that were killed before they could do so themselves. */
export async function sweepTestFolders(temporary: string = tmpdir()): Promise<void> {
  for (const name of readdirSync(temporary)) {
    if (!name.startsWith("nectar-test-")) continue;
    const folder = join(temporary, name);
    if (!isAbandoned(folder)) continue;
    if (existsSync(join(folder, "postgres"))) {
      const { cluster } = await placeCluster(folder, await postgresAccount());
      await stopLeftoverPostgres(cluster);
    }
    removeCluster(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAbandoned(folder: string): boolean {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    return isIdentity(owner) && !isRunning(owner);
  } catch {
    // A folder without a readable owner is just being made, or is not ours to judge.
    return false;
  }
}
