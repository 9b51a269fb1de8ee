import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compareFacts, findLedgerProblems, readFacts } from "../recovery/checks.ts";
import { type Connection, withConnection } from "../support/connection.ts";
import { freePort } from "../support/ports.ts";
import type { Cluster, Node } from "./cluster.ts";
import { until } from "./until.ts";

/** Makes the first backup. */
export async function backUp(cluster: Cluster, primary: Node): Promise<void> {
  await cluster.pgBackRest(primary, ["stanza-create"]);
  await cluster.pgBackRest(primary, ["backup", "--type=full"]);
}

/**
 * Deletes what matters on the primary, restores the moment before into a new folder, and looks at it.
 * @returns what is wrong with the restored database
 */
export async function restoreMoment(cluster: Cluster, primary: Node): Promise<string[]> {
  const { facts, moment } = await withConnection(cluster.adminUrl, async (client) => {
    const facts = await readFacts(client);
    const { rows } = await client.query<{ moment: string }>("select now()::text as moment");
    await sleep(1_000);
    await client.query("truncate nectar.journal_entries cascade; update nectar.accounts set drops_balance = 0");
    return { facts, moment: rows[0]?.moment ?? "" };
  });
  // Closes the current file of the log, and waits until it is archived.
  await cluster.pgBackRest(primary, ["check"]);

  const folder = join(cluster.folder, "restored");
  const target = ["--type=time", `--target=${moment}`, "--target-action=promote", "--archive-mode=off"];
  await cluster.pgBackRest(primary, ["restore", ...target, `--pg1-path=${folder}`]);
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", synchronous_standby_names: "" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  cluster.startPostgres(["-D", folder, ...flags]);
  await until("the restored server has reached the moment", () =>
    withConnection(cluster.urlOf(port), isWriting).catch(() => false),
  );
  return withConnection(cluster.urlOf(port), async (client) => {
    const problems = [...compareFacts(facts, await readFacts(client)), ...(await findLedgerProblems(client))];
    return problems.map((problem) => `Restored: ${problem}`);
  });
}

async function isWriting(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ recovers: boolean }>("select pg_is_in_recovery() as recovers");
  return rows[0]?.recovers === false;
}
