import type pg from "pg";

/** An account whose books do not agree with themselves. */
export interface BrokenAccount {
  readonly user_id: string;
  readonly balance: number;
  readonly sum: number;
}

/**
 * Every account that is wrong: a balance that is not the sum of its movements or is negative, or a movement whose balance
 * afterwards is not the one before it and its amount, in the order of time.
 */
export async function brokenAccounts(admin: pg.Client): Promise<BrokenAccount[]> {
  const { rows } = await admin.query<BrokenAccount>(
    `with chain as (
       select t.user_id, t.amount, t.balance_after,
         t.balance_after = sum(t.amount) over (partition by t.user_id order by t.created_at, t.id) as in_order,
         -- Movements of one millisecond have no order that a timestamp shows; then any predecessor will do.
         t.balance_after = t.amount or exists (
           select from nectar.drop_transactions b where b.user_id = t.user_id and b.balance_after = t.balance_after - t.amount
         ) as follows
       from nectar.drop_transactions t
     ), books as (
       select a.user_id, a.drops_balance as balance, coalesce(sum(c.amount), 0)::int as sum,
         coalesce(bool_and(c.in_order or c.follows), true) as unbroken, coalesce(min(c.balance_after), 0) as lowest
       from nectar.accounts a left join chain c on c.user_id = a.user_id
       group by a.user_id, a.drops_balance
     )
     select b.user_id, b.balance, b.sum from books b
     where b.balance <> b.sum or b.balance < 0 or b.lowest < 0 or not b.unbroken`,
  );
  return rows;
}
