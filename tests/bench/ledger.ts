import type pg from "pg";
import { reconcileDrops } from "#functions/drops/reconciliation";
import { query } from "#tests/people";
import { fillPeople } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { alternate, type Figure, figureOf, median, type Run, sized, timed, within } from "./figures.ts";

const ACCOUNTS = sized(1_000_000);
/** The awards of each account, besides its signup bonus. */
const MONTHS = 3;

/** Compares the reconciliation of a ledger with 15 s, and with a bare sum of its movements for each account. */
export async function ledgerFigures(run: Run): Promise<Figure[]> {
  run.note(`reconciling ${ACCOUNTS} accounts`);
  const database = await filledDatabase(run, "ledger", fillLedger);
  await using services = servicesOn(database);
  const [reconciled = [], summed = []] = await alternate(3, [
    () =>
      timed(async () => {
        const { ok } = await services.database.asService((tx) => reconcileDrops(tx, new Date()));
        if (!ok) throw new Error("The ledger of the benchmark does not add up.");
      }),
    () => timed(() => query(database.adminUrl, SUM)),
  ]);
  return [
    within("reconciling 1,000,000 accounts with 4,000,000 movements", median(reconciled), 15_000, "ms"),
    figureOf("reconciling them / a bare sum of the movements of each", { atMost: 4 }, reconciled, summed),
  ];
}

const SUM = `
  select count(*) from nectar.accounts a
  join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
  where a.drops_balance <> t.sum`;

/** Gives every account 10 drops in each of the first months of a year, as the job that awards them does. */
async function fillLedger(client: pg.ClientBase): Promise<void> {
  await fillPeople(client, ACCOUNTS, 50);
  await client.query(
    `with given as (
       insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
       select p.id, 'monthly_recurring', 10, 50 + 10 * m, 'Monthly drops', 'monthly:2026-' || m,
         now() + m * interval '1 ms'
       from people p cross join generate_series(1, ${MONTHS}) m
       returning id, user_id, amount, right(event_key, 1)::int as month
     )
     insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
     select user_id, make_date(2026, month, 1), amount, id from given;
     update nectar.accounts set drops_balance = drops_balance + 10 * ${MONTHS}
     where user_id <> private.system_user_id()`,
  );
}
