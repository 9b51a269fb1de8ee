import { readConfig } from "@nectar/config/config";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";
import { cloneDatabase, type TestCluster, type TestDatabase } from "@nectar/local/test-cluster";
import { reconcileDrops } from "../../functions/drops/reconciliation.ts";
import { asSuperuser } from "../support/people.ts";
import { fillWallets } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ACCOUNTS = 1_000_000;
const MAX_MS = 15_000;
const ROUNDS = 3;

/** Compares the reconciliation of a ledger with a bare sum of its movements for each account. */
export async function ledgerFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`reconciling ${ACCOUNTS} accounts`);
  const database = await cloneDatabase(cluster, "bench_ledger");
  await fillWallets(database.adminUrl, ACCOUNTS, 50);
  const services = servicesFor(readConfig(environmentOf(database)), { logger: createLogger("warn") });
  try {
    const [reconciled = [], summed = []] = await alternate(ROUNDS, [
      async () => {
        const from = performance.now();
        const { ok } = await services.database.asService((tx) => reconcileDrops(tx, new Date()));
        if (!ok) throw new Error("The ledger of the benchmark does not add up.");
        return performance.now() - from;
      },
      () => sumBalances(database),
    ]);
    const accounts = ACCOUNTS.toLocaleString("en");
    return [
      {
        name: `reconciling ${accounts} accounts / ${MAX_MS / 1_000} s`,
        ratio: median(reconciled) / MAX_MS,
        bar: { atMost: 1 },
        measured: `${median(reconciled).toFixed(0)} ms`,
      },
      {
        name: `reconciling ${accounts} accounts / a bare sum of the movements of each`,
        ratio: medianRatio(reconciled, summed),
        bar: { atMost: 4 },
        measured: `${median(reconciled).toFixed(0)} / ${median(summed).toFixed(0)} ms`,
      },
    ];
  } finally {
    await services.database.close();
  }
}

/** Milliseconds that PostgreSQL takes to compare balances with sums, and nothing else. */
function sumBalances(database: TestDatabase): Promise<number> {
  return asSuperuser(database.adminUrl, async (client) => {
    const from = performance.now();
    await client.query(
      `select count(*) from nectar.accounts a
       join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
       where a.drops_balance <> t.sum`,
    );
    return performance.now() - from;
  });
}
