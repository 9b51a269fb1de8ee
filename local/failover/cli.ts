import { setTimeout as sleep } from "node:timers/promises";
import { findLedgerProblems } from "../recovery/checks.ts";
import { withConnection } from "../support/connection.ts";
import { printedProgress, seconds } from "../support/progress.ts";
import { StartupProblem } from "../support/startup-problem.ts";
import { backUp, restoreMoment } from "./backups.ts";
import { compareWrites } from "./checks.ts";
import { type Cluster, type Node, startCluster } from "./cluster.ts";
import { drainPushes, findAwardProblems, startAward } from "./jobs.ts";
import { type Requests, startRequests } from "./requests.ts";
import { startService } from "./service.ts";
import { until } from "./until.ts";

// npm run failover:drill runs the service over two PostgreSQL servers under Patroni on this machine, takes the primary away
// three times while it is written to, and restores a moment from the backups. It exits with 1 if something is wrong after.

/** Fewer with an argument, for a slow machine. */
const WRITES_PER_SECOND = Number(process.argv[2] ?? 200);
const MAX_UNAVAILABLE_MS = 30_000;
/** Between two events everything works for at least so long. */
const STEADY_MS = 10_000;

const { step, note } = printedProgress(() => undefined);

try {
  const cluster = await step("Two PostgreSQL servers under Patroni", startCluster);
  try {
    const problems = await drill(cluster);
    console.log(problems.length === 0 ? "Nothing was lost." : problems.join("\n"));
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
  }
} catch (error) {
  if (!(error instanceof StartupProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
// Requests that are still repeated would keep the process.
process.exit();

/** @returns what is wrong */
async function drill(cluster: Cluster): Promise<string[]> {
  await using service = await step("The service", () => startService(cluster));
  await step("A backup", async () => backUp(cluster, await cluster.ready()));
  const requests = startRequests({ ...service, writesPerSecond: WRITES_PER_SECOND });
  let award: Promise<void> | undefined;
  const events = {
    "kill -9 of the primary's PostgreSQL": async (primary: Node) => {
      ({ done: award } = await startAward(service, cluster.urlOf(primary.port)));
      await cluster.killPostgres(primary);
      await cluster.otherThan(primary);
    },
    "kill -9 of the primary's Patroni": async (primary: Node) => {
      cluster.killPatroni(primary);
      await cluster.otherThan(primary);
      cluster.startPatroni(primary);
    },
    switchover: async (primary: Node) => {
      await cluster.switchOver(primary);
      await cluster.otherThan(primary);
    },
  };
  const tooLong: string[] = [];
  for (const [name, event] of Object.entries(events)) {
    const ms = await unavailableMs(cluster, requests, event);
    note(`${name}: 503 for ${seconds(ms)}`);
    if (ms > MAX_UNAVAILABLE_MS) tooLong.push(`${name}: 503 for ${seconds(ms)}.`);
  }
  await sleep(STEADY_MS);
  const { writes, sent, slowestMs } = await requests.stop();
  await award;
  const { acknowledged } = requests;
  const wrong = await withConnection(cluster.adminUrl, async (client) => {
    const { lost, doubled } = await compareWrites(client, acknowledged);
    note(`${writes} writes: ${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled`);
    note(
      `${sent} requests, the slowest took ${seconds(slowestMs)}; ${await drainPushes(client, service)} push messages`,
    );
    return [
      ...tooLong,
      ...[...requests.problems].map(([response, times]) => `${times} times ${response}.`),
      ...(acknowledged.length < writes ? [`${writes - acknowledged.length} writes were not acknowledged.`] : []),
      ...(lost > 0 ? [`${lost} acknowledged writes are lost.`] : []),
      ...(doubled > 0 ? [`${doubled} writes had their effect twice.`] : []),
      ...(await findAwardProblems(client)),
      ...(await findLedgerProblems(client)),
    ];
  });
  const restored = await step("A restored moment", async () => restoreMoment(cluster, await cluster.ready()));
  return [...wrong, ...restored];
}

/** Waits for a steady cluster, lets something happen to it, and waits until everything works again. */
async function unavailableMs(
  cluster: Cluster,
  { unavailableAt, pending }: Requests,
  event: (primary: Node) => Promise<void>,
): Promise<number> {
  const primary = await cluster.ready();
  await sleep(STEADY_MS);
  await until("the service keeps up", async () => pending() < WRITES_PER_SECOND);
  const before = unavailableAt.length;
  await event(primary);
  await cluster.ready();
  await until("the service has caught up", async () => pending() < WRITES_PER_SECOND);
  const times = unavailableAt.slice(before);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}
