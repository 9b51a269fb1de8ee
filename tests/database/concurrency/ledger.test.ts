import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf, useActing } from "../support/acting.ts";

const acting = useActing();
const PARALLEL = 32;
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: acting.adminUrl, max: PARALLEL });
});
afterAll(() => pool.end());

describe("the ledger, with 32 bookings at the same time", () => {
  it("books one business event once", async () => {
    const { id } = await acting.person();
    const results = await all(() => book(id, 7, "the same event"));
    expect(results.filter((result) => result === "booked")).toHaveLength(1);
    expect(results.filter((result) => result === "known")).toHaveLength(PARALLEL - 1);
    expect(await account(id)).toEqual({ balance: 57, sum: 57, movements: 2, unbroken: true });
  });

  it("books every different event, and the balance is their sum", async () => {
    const { id } = await acting.person();
    expect(await all((index) => book(id, index + 1, `event ${index}`))).toEqual(Array(PARALLEL).fill("booked"));
    const sum = 50 + (PARALLEL * (PARALLEL + 1)) / 2;
    expect(await account(id)).toEqual({ balance: sum, sum, movements: PARALLEL + 1, unbroken: true });
  });

  it("never goes below zero: of many purchases only those that the balance covers happen", async () => {
    const { id } = await acting.person();
    const results = await all((index) => book(id, -9, `purchase ${index}`));
    expect(results.filter((result) => result === "booked")).toHaveLength(5);
    expect(results.filter((result) => result === "drops.insufficient_balance")).toHaveLength(PARALLEL - 5);
    expect(await account(id)).toEqual({ balance: 5, sum: 5, movements: 6, unbroken: true });
  });

  it("refuses an account that does not exist", async () => {
    expect(await book("00000000-0000-4000-8000-000000000000", 1, "no one")).toBe("user.not_found");
  });
});

async function all(work: (index: number) => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: PARALLEL }, (_, index) => work(index)));
}

async function book(account: string, amount: number, event: string): Promise<string> {
  try {
    const { rows } = await pool.query(
      `select (private.post_drop_transaction($1, $2::nectar.drop_transaction_type, $3, $4, 'a test')).id`,
      [account, amount < 0 ? "purchase" : "refund", amount, event],
    );
    return rows[0]?.id === null ? "known" : "booked";
  } catch (error) {
    return refusalOf(error);
  }
}

/** Balance, movements, and whether each movement's balance is the one before it and its amount. */
async function account(id: string) {
  return await acting.one(
    `with chain as (
       select t.amount, t.balance_after,
         exists (select from nectar.drop_transactions b
                 where b.user_id = t.user_id and b.balance_after = t.balance_after - t.amount) or t.balance_after = t.amount as follows
       from nectar.drop_transactions t where t.user_id = $1)
     select a.drops_balance as balance, sum(c.amount)::int as sum, count(*)::int as movements, bool_and(c.follows) as unbroken
     from nectar.accounts a cross join chain c where a.user_id = $1 group by a.drops_balance`,
    [id],
  );
}
