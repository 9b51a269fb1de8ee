import type pg from "pg";
import { readConfig } from "#config/config";
import { awardMonthlyDrops } from "#functions/drops/monthly";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillWallets } from "./data.ts";
import { copyDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const PEOPLE = 100_000;
const ROUNDS = 5;

/**
 * Compares the job of the monthly award (slices, locks, `private.job_runs`) with three statements in one transaction that
 * write the same rows, each in a copy of the same database. Every round is another month, so both sides write the same
 * 100,000 movements, awards and balances into tables and indexes of the same size. The written rows are compared.
 */
export async function awardFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`monthly award of ${PEOPLE} people`);
  const job = await cloneDatabase(cluster, "bench_award_job");
  await fillWallets(job.adminUrl, PEOPLE, 50);
  const bare = await copyDatabase(cluster, job, "bench_award_bare");
  const months = { job: monthsFrom2027(), bare: monthsFrom2027() };
  const [firstAndSecond, statements] = await alternate<number[]>(ROUNDS, [
    async () => {
      const month = months.job();
      await vacuum(job);
      return [await runJobFor(job, month, PEOPLE), await runJobFor(job, month, 0)];
    },
    async () => {
      const month = months.bare();
      await vacuum(bare);
      return [await writeRows(bare, month)];
    },
  ]);
  const [written, expected] = [await rowsOf(job), await rowsOf(bare)];
  if (written !== expected) throw new Error("The job and the three statements wrote different rows.");
  const first = (firstAndSecond ?? []).map(([ms = Number.NaN]) => ms);
  const second = (firstAndSecond ?? []).map(([, ms = Number.NaN]) => ms);
  const three = (statements ?? []).map(([ms = Number.NaN]) => ms);
  return [
    {
      name: `award-monthly-all, ${PEOPLE.toLocaleString("en")} people / three statements that write the same rows`,
      ratio: medianRatio(first, three),
      bar: { atMost: 1.5 },
      measured: `${median(first).toFixed(0)} / ${median(three).toFixed(0)} ms`,
    },
    {
      name: "award-monthly-all, second run of a month / first",
      ratio: medianRatio(second, first),
      bar: { atMost: 0.1 },
      measured: `${median(second).toFixed(0)} / ${median(first).toFixed(0)} ms`,
    },
  ];
}

/** Milliseconds that the job takes, including the opening of its connection. */
async function runJobFor(database: TestDatabase, month: string, expected: number): Promise<number> {
  const services = servicesFor(readConfig(environmentOf(database)), {
    logger: createLogger("warn"),
    clock: { now: () => new Date(`${month}T12:00:00Z`) },
  });
  try {
    const from = performance.now();
    const { results } = await awardMonthlyDrops.run(services);
    const took = performance.now() - from;
    if (results?.awarded !== expected) throw new Error(`The job was to award ${expected} people: ${String(results)}`);
    return took;
  } finally {
    await services.database.close();
  }
}

/** Milliseconds that three statements without checks and locks take, including the opening of their connection. */
function writeRows(database: TestDatabase, month: string): Promise<number> {
  const from = performance.now();
  return asSuperuser(database.adminUrl, async (client) => {
    await client.query("begin");
    await client.query(
      `update nectar.accounts set drops_balance = drops_balance + case when is_premium then 250 else 30 end
       where user_id <> private.system_user_id()`,
    );
    await client.query(
      `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
       select user_id, 'monthly_recurring', case when is_premium then 250 else 30 end, drops_balance,
         'Monthly drops for ' || $1::text, 'monthly:' || $1::text
       from nectar.accounts where user_id <> private.system_user_id()`,
      [month.slice(0, 7)],
    );
    await client.query(
      `insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
       select user_id, $1::date, amount, id from nectar.drop_transactions where event_key = 'monthly:' || $2::text`,
      [month, month.slice(0, 7)],
    );
    await client.query("commit");
    return performance.now() - from;
  });
}

/** Vacuums and writes a checkpoint before each measurement, so that both databases start in the same state. */
function vacuum(database: TestDatabase): Promise<pg.QueryResult> {
  return asSuperuser(database.adminUrl, async (client) => {
    await client.query("vacuum analyze");
    return client.query("checkpoint");
  });
}

/** Hashes all rows that a side wrote, without ids and times. */
function rowsOf(database: TestDatabase): Promise<string> {
  return asSuperuser(database.adminUrl, async (client) => {
    const { rows } = await client.query<{ hash: string }>(
      `select md5(string_agg(concat_ws(' ', t.user_id, t.type, t.amount, t.balance_after, t.description, t.event_key,
                m.month, m.amount, a.drops_balance), ',' order by t.user_id, t.event_key)) as hash
       from nectar.accounts a
       join nectar.drop_transactions t on t.user_id = a.user_id
       left join nectar.monthly_drop_awards m on m.transaction_id = t.id and m.user_id = t.user_id`,
    );
    return rows[0]?.hash ?? "";
  });
}

/** Yields the first days of successive months. */
function monthsFrom2027(): () => string {
  let next = 0;
  return () => new Date(Date.UTC(2027, next++, 1)).toISOString().slice(0, 10);
}
