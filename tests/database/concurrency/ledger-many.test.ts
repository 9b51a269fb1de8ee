import { afterEach, describe, expect, it } from "vitest";
import { openConnections } from "#local/support/connection";
import { useActing } from "../support/acting.ts";
import { brokenAccounts } from "./ledger-checks.ts";

const acting = useActing();
afterEach(async () => expect(await brokenAccounts(acting.admin)).toEqual([]));

const person = async () => (await acting.person()).id;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

describe("a booking of many accounts", () => {
  it("books on all of them, and again only on those without the event", async () => {
    const [ada, ben, cyd] = [await person(), await person(), await person()];
    expect(await bookMany([ada, ben], [5, -7], "spring")).toEqual({ [ada]: 55, [ben]: 43 });
    expect(await bookMany([ada, ben, cyd], [5, -7, 9], "spring")).toEqual({ [cyd]: 59 });
  });

  it("skips accounts that do not exist, and balances that would get too high", async () => {
    const [ada, rich] = [await person(), await person()];
    await bookMany([rich], [2_147_483_597 - 10], "treasure");
    expect(await bookMany([rich, ada, UNKNOWN_ID], [30, 30, 30], "summer")).toEqual({ [ada]: 80 });
    expect(await bookMany([rich], [10], "the last drops")).toEqual({ [rich]: 2_147_483_647 });
    await expect(bookOne(rich, 1, "one too many")).rejects.toMatchObject({ detail: "drops.balance_too_high" });
  });

  it("books nothing at all when one of them has too little", async () => {
    const [ada, ben] = [await person(), await person()];
    await expect(bookMany([ada, ben], [5, -51], "autumn")).rejects.toMatchObject({
      constraint: "accounts_drops_balance_not_negative",
    });
    expect(await bookMany([ada], [1], "probe")).toEqual({ [ada]: 51 });
  });

  it("waits for another one in the opposite order, without a deadlock", async () => {
    const people = await Promise.all(Array.from({ length: 40 }, person));
    const backwards = people.toReversed();

    const pool = openConnections(acting.adminUrl, { max: 8 });
    const results = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) =>
        pool.query("select count(*)::int as n from private.post_drop_transactions($1, 'refund', $2, 'a test')", [
          JSON.stringify((n % 2 === 0 ? people : backwards).map((id) => ({ user_id: id, amount: 1 }))),
          `crossing ${n}`,
        ]),
      ),
    );
    await pool.end();
    expect(results.map((result) => (result.status === "fulfilled" ? result.value.rows[0].n : result.reason))).toEqual(
      Array(24).fill(40),
    );
  });
});

async function bookMany(people: string[], amounts: number[], event: string): Promise<Record<string, number>> {
  const rows = await acting.query<{ user_id: string; balance_after: number }>(
    "select user_id, balance_after from private.post_drop_transactions($1, 'refund', $2, 'a test')",
    [JSON.stringify(people.map((id, index) => ({ user_id: id, amount: amounts[index] }))), event],
  );
  return Object.fromEntries(rows.map(({ user_id, balance_after }) => [user_id, balance_after]));
}

async function bookOne(account: string, amount: number, event: string): Promise<string> {
  const kind = amount < 0 ? "purchase" : "refund";
  const { id } = await acting.one<{ id: string }>`
    select id from private.post_drop_transaction(${account}, ${kind}, ${amount}, ${event}, 'a test')`;
  return id;
}
