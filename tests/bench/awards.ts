import type pg from "pg";
import { awardMonthlyDrops } from "#functions/drops/monthly";
import type { TestDatabase } from "#local/database/test-cluster";
import { asSuperuser, closeSuperuser } from "#tests/people";
import { fillPeople } from "./data.ts";
import { filledDatabase, onCopy, servicesOn } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized, timed } from "./figures.ts";

const PEOPLE = sized(100_000);

/**
 * Compares the job of the monthly award (batches, locks, `private.job_runs`) with three statements in one transaction that
 * write the same rows, each in a copy of the same database. Every round is another month. The written rows are compared.
 */
export async function awardFigures(run: Run): Promise<Figure[]> {
  run.note(`monthly award of ${PEOPLE} people`);
  const job = await filledDatabase(run, "awards", (client) => fillPeople(client, PEOPLE, 50));
  return onCopy(run, job, async (bare) => {
    const months = { job: monthsFrom2027(), bare: monthsFrom2027() };
    const [runs = [], statements = []] = await alternate<number[]>(5, [
      async () => {
        const month = months.job();
        await prepare(job);
        return [await runJobFor(job, month, PEOPLE), await runJobFor(job, month, 0)];
      },
      async () => {
        await prepare(bare);
        const month = months.bare();
        return [await timed(() => asSuperuser(bare.adminUrl, (client) => writeRows(client, month)))];
      },
    ]);
    if ((await rowsOf(job)) !== (await rowsOf(bare))) throw new Error("The two sides wrote different rows.");
    await closeSuperuser(bare.adminUrl);
    const [first, second] = [0, 1].map((index) => runs.map((times) => times[index] ?? Number.NaN));
    return [
      figureOf("monthly award of 100,000 people / three statements", { atMost: 1.5 }, first ?? [], statements.flat()),
      figureOf("monthly award, second run of a month / first", { atMost: 0.1 }, second ?? [], first ?? []),
    ];
  });
}

/** Milliseconds of the job, including the opening of its connection. */
async function runJobFor(database: TestDatabase, month: string, expected: number): Promise<number> {
  await using services = servicesOn(database, {}, () => new Date(`${month}T12:00:00Z`));
  return await timed(async () => {
    const { results } = await awardMonthlyDrops.run(services);
    if (results?.awarded !== expected) throw new Error(`The job was to award ${expected} people.`);
  });
}

/** Three statements without checks and locks. */
async function writeRows(client: pg.ClientBase, date: string): Promise<void> {
  const month = date.slice(0, 7);
  await client.query(
    `begin;
     update nectar.accounts set drops_balance = drops_balance + case when is_premium then 250 else 30 end
     where user_id <> private.system_user_id();
     insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
     select user_id, 'monthly_recurring', case when is_premium then 250 else 30 end, drops_balance,
       'Monthly drops for ${month}', 'monthly:${month}'
     from nectar.accounts where user_id <> private.system_user_id();
     insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
     select user_id, '${date}', amount, id from nectar.drop_transactions where event_key = 'monthly:${month}';
     commit`,
  );
}

/** Lets both databases start a measurement in the same state. */
function prepare({ adminUrl }: TestDatabase): Promise<void> {
  return asSuperuser(adminUrl, async (client) => {
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/** Hashes all rows that a side wrote, without ids and times. */
async function rowsOf({ adminUrl }: TestDatabase): Promise<string> {
  const { rows } = await asSuperuser(adminUrl, (client) =>
    client.query(
      `select md5(string_agg(concat_ws(' ', t.user_id, t.type, t.amount, t.balance_after, t.description, t.event_key,
                m.month, m.amount, a.drops_balance), ',' order by t.user_id, t.event_key)) as hash
       from nectar.accounts a
       join nectar.drop_transactions t on t.user_id = a.user_id
       left join nectar.monthly_drop_awards m on m.transaction_id = t.id and m.user_id = t.user_id`,
    ),
  );
  return rows[0].hash;
}

/** Yields the first days of successive months. */
function monthsFrom2027(): () => string {
  let next = 0;
  return () => new Date(Date.UTC(2027, next++, 1)).toISOString().slice(0, 10);
}
