import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { DatabaseAddress } from "#database/connection-config";
import { withAdminConnection } from "#ops/migrate/admin-connection";
import { setApiPassword } from "#ops/migrate/api-password";
import { apiUrlOf } from "../database/api-login.ts";
import { cloneDatabase, startTestCluster } from "../database/test-cluster.ts";
import { LOCAL_API_PASSWORD } from "../settings/local-defaults.ts";
import { withConnection } from "../support/connection.ts";
import { checkCounts, checkFiles, checkLedger, checkReferences, type Store } from "./checks.ts";
import { findDrift } from "./drift.ts";
import { dump, type RowCounts, restore } from "./dump.ts";

/** The paths of all files in each store; undefined if they are not to be compared with the rows. */
export type Files = Readonly<Record<Store, readonly string[] | undefined>>;

/** What is restored, and what it is compared with. */
export interface Drill {
  /** The database to read, as its administrator. Nothing is written to it. */
  readonly source: DatabaseAddress;
  /** Called before and after the rows are read, because the service may store and remove files meanwhile. */
  readonly listFiles: () => Promise<Files>;
  /** Called with a line for each step that is done. */
  readonly report: (line: string) => void;
}

/**
 * Restores a database into a new cluster that is removed afterwards, and checks the result.
 * @returns a sentence for each problem
 * @throws MigrationProblem if the source cannot be reached
 */
export async function runDrill({ source, listFiles, report }: Drill): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "nectar-drill-"));
  // Also when the drill is interrupted: the folder contains what users wrote.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  const { cluster, stop } = await startTestCluster();
  try {
    report("A new cluster is migrated.");
    const filesBefore = await listFiles();
    const counts = await withAdminConnection(source, (client) => dump(client, folder));
    const filesAfter = await listFiles();
    report(`${sumOf(counts)} rows of ${Object.keys(counts).length} tables are saved.`);
    const { adminUrl } = await cloneDatabase(cluster, "restored");
    return await withConnection(adminUrl, async (restored) => {
      const drift = await withAdminConnection(source, (live) => findDrift(live, restored));
      await restore(restored, folder);
      report("They are restored.");
      const problems = [
        ...drift,
        ...(await checkCounts(restored, counts)),
        ...(await checkLedger(restored)),
        ...(await checkReferences(restored)),
        ...(await checkStores(restored, filesBefore, filesAfter, report)),
      ];
      await signIn(adminUrl);
      report("nectar_api signs in with its new password.");
      return problems;
    });
  } finally {
    await stop();
    removeFolder();
  }
}

async function checkStores(
  restored: pg.ClientBase,
  filesBefore: Files,
  filesAfter: Files,
  report: Drill["report"],
): Promise<string[]> {
  const problems: string[] = [];
  for (const store of ["private", "tone-packs"] as const) {
    const [before, after] = [filesBefore[store], filesAfter[store]];
    if (before === undefined || after === undefined) {
      report(`The store ${store} is not configured, so its files are not compared.`);
    } else {
      problems.push(...(await checkFiles(restored, store, before, after)));
    }
  }
  return problems;
}

/** Sets the password of the functions' role, and reads with it as the functions do. */
async function signIn(adminUrl: string): Promise<void> {
  const url = apiUrlOf(adminUrl, LOCAL_API_PASSWORD);
  await setApiPassword({ url: adminUrl }, url);
  await withConnection(url, (client) => client.query("set role nectar_service; select from nectar.profiles limit 1"));
}

function sumOf(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
