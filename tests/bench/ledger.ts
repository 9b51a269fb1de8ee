import { readConfig } from "#config/config";
import { reconcileDrops } from "#functions/drops/reconciliation";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillWallets } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const ACCOUNTS = 1_000_000;
/** The awards of each account, besides its signup bonus. */
const MONTHS = 3;
const MAX_MS = 15_000;
const ROUNDS = 3;

/** Compares the reconciliation of a ledger with a bare sum of its movements for each account. */
export async function ledgerFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`reconciling ${ACCOUNTS} accounts`);
  const database = await cloneDatabase(cluster, "bench_ledger");
  await fillWallets(database.adminUrl, ACCOUNTS, 50);
  await awardMonths(database, MONTHS);
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
    const [accounts, movements] = [ACCOUNTS, ACCOUNTS * (MONTHS + 1)].map((count) => count.toLocaleString("en"));
    return [
      {
        name: `reconciling ${accounts} accounts with ${movements} movements / ${MAX_MS / 1_000} s`,
        ratio: median(reconciled) / MAX_MS,
        bar: { atMost: 1 },
        measured: `${median(reconciled).toFixed(0)} ms`,
      },
      {
        name: `reconciling them / a bare sum of the movements of each`,
        ratio: medianRatio(reconciled, summed),
        bar: { atMost: 4 },
        measured: `${median(reconciled).toFixed(0)} / ${median(summed).toFixed(0)} ms`,
      },
    ];
  } finally {
    await services.database.close();
  }
}

/** Gives every account 10 drops in each of the first months of a year, as the job that awards them does. */
async function awardMonths({ adminUrl }: TestDatabase, months: number): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      `with given as (
         insert into nectar.drop_transactions
           (user_id, type, amount, balance_after, description, event_key, created_at)
         select a.user_id, 'monthly_recurring', 10, a.drops_balance + 10 * n, 'Monthly drops', 'monthly:2026-' || n,
           now() + n * interval '1 ms'
         from nectar.accounts a
         cross join generate_series(1, $1::int) n
         where a.user_id <> private.system_user_id()
         returning id, user_id, amount, right(event_key, 1)::int as month
       )
       insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
       select user_id, make_date(2026, month, 1), amount, id from given`,
      [months],
    );
    await client.query(
      "update nectar.accounts set drops_balance = drops_balance + 10 * $1 where user_id <> private.system_user_id()",
      [months],
    );
    await client.query("set session_replication_role = origin");
    await client.query("vacuum analyze");
  });
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
