import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openConnections } from "#local/support/connection";
import { become, useActing } from "../support/acting.ts";
import { brokenAccounts } from "./ledger-checks.ts";

const PARALLEL = 24;
const acting = useActing();
let pool: pg.Pool;
beforeAll(() => {
  pool = openConnections(acting.adminUrl, { max: PARALLEL });
});
afterAll(() => pool.end());

/** A careless version: it reads and then writes what it has read, without locks. */
const CARELESS_TWIN = `
  create or replace function private.post_drop_transaction(
    p_user_id uuid, p_type nectar.drop_transaction_type, p_amount integer, p_event_key text, p_description text,
    p_item_id uuid default null, p_item_type text default null
  ) returns nectar.drop_transactions
    language plpgsql volatile security definer set search_path = ''
    as $$
  declare
    balance integer;
    movement nectar.drop_transactions;
  begin
    select a.drops_balance into balance from nectar.accounts a where a.user_id = p_user_id;
    if balance + p_amount < 0 then
      raise exception 'balance too low' using errcode = 'NX000', detail = 'drops.insufficient_balance';
    end if;
    perform pg_sleep(0.02);
    update nectar.accounts set drops_balance = balance + p_amount where user_id = p_user_id;
    insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
    values (p_user_id, p_type, p_amount, balance + p_amount, p_description, p_event_key || gen_random_uuid())
    returning * into movement;
    return movement;
  end
  $$;
  create or replace function private.post_drop_transactions(
    p_amounts jsonb, p_type nectar.drop_transaction_type, p_event_key text, p_description text
  ) returns setof nectar.drop_transactions
    language plpgsql volatile security definer set search_path = ''
    as $$
  begin
    return query select t.* from private.post_drop_transaction(
      (p_amounts -> 0 ->> 'user_id')::uuid, p_type, (p_amounts -> 0 -> 'amount')::integer, p_event_key, p_description) t;
  end
  $$`;

it("the checks of the ledger pass, and fail for a version that reads and writes without a lock", async () => {
  expect(await storm()).toEqual({ purchases: 3, awards: 1, broken: 0 });
  await acting.admin.query("alter table nectar.monthly_drop_awards drop constraint monthly_drop_awards_pkey");
  await acting.admin.query(CARELESS_TWIN);
  const careless = await storm();
  expect(careless.purchases).toBeGreaterThan(3);
  expect(careless.awards).toBeGreaterThan(1);
  expect(careless.broken).toBeGreaterThan(0);
});

/** Many purchases by one person, of which the balance covers three, and many awards of one month to another, all at once. */
async function storm() {
  const [buyer, taker] = [(await acting.person()).id, (await acting.person()).id];
  const results = await Promise.all(
    Array.from({ length: PARALLEL }, (_, index) =>
      index % 2 === 0
        ? moves(buyer, "select amount from private.post_drop_transaction($1, 'purchase', -15, $2, 'a test')", [
            buyer,
            `purchase:${index}`,
          ])
        : moves(taker, "select nullif(private.award_monthly_drops('2026-11-15T12:00Z'), 0) as amount", []),
    ),
  );
  return {
    purchases: results.filter((amount) => amount === -15).length,
    awards: results.filter((amount) => amount === 30).length,
    broken: (await brokenAccounts(acting.admin)).length,
  };
}

async function moves(person: string, statement: string, values: readonly unknown[]): Promise<number | null> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // A person cannot book by themselves; purchases run with the rights of the functions that book for them.
    if (values.length === 0) await become(client, { person });
    const { rows } = await client.query<{ amount: number | null }>(statement, [...values]);
    await client.query("commit");
    return rows[0]?.amount ?? null;
  } catch (error) {
    await client.query("rollback");
    if (error instanceof pg.DatabaseError && error.detail === "drops.insufficient_balance") return null;
    throw error;
  } finally {
    client.release();
  }
}
