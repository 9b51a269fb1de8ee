import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { brokenAccounts } from "./ledger-checks.ts";

const acting = useActing();
afterEach(async () => expect(await brokenAccounts(acting.admin)).toEqual([]));

const person = async () => (await acting.person()).id;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

describe("movements", () => {
  it.each([
    "update nectar.drop_transactions set amount = amount",
    "delete from nectar.drop_transactions",
    "insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key) select user_id, 'refund', 1, 51, '', 'x' from nectar.drop_transactions",
    "update nectar.accounts set drops_balance = 1000",
  ])("cannot be written by any role: %s", async (statement) => {
    const me = await person();
    for (const actor of [{ person: me }, "anonymous", "service", "login role"] as const) {
      expect(await acting.outcome(actor, statement), JSON.stringify(actor)).toBe("42501");
    }
  });
});

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

    const pool = new pg.Pool({ connectionString: acting.adminUrl, max: 8 });
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

describe("an adjustment", () => {
  it("changes the balance each time, for super admins only", async () => {
    const [ada, boss] = [await person(), (await acting.person({ role: "super_admin" })).id];
    const admin = (await acting.person({ role: "admin" })).id;
    const statement = "select * from private.adjust_drops($1, $2, 'a correction')";
    for (const other of [ada, admin]) {
      expect(await acting.outcome({ person: other }, statement, [ada, 10])).toBe("auth.forbidden");
    }
    expect(await acting.outcome("anonymous", statement, [ada, 10])).toBe("auth.forbidden");
    expect(await acting.outcome("service", statement, [ada, 10])).toBe("42501");
    const adjust = (amount: number) => acting.run({ person: boss }, statement, [ada, amount], "keep");
    const first = (await adjust(10)).rows[0];
    expect(first).toMatchObject({
      type: "admin_adjustment",
      amount: 10,
      balance_after: 60,
      description: "a correction",
    });
    expect((await adjust(10)).rows[0].balance_after).toBe(70);
    expect((await adjust(-70)).rows[0].balance_after).toBe(0);
    await expect(adjust(-1)).rejects.toMatchObject({ detail: "drops.insufficient_balance" });
    await expect(acting.run({ person: boss }, statement, [UNKNOWN_ID, 1])).rejects.toMatchObject({
      detail: "user.not_found",
    });
  });
});

describe("a refund", () => {
  const statement = "select * from private.refund_purchase($1, 'given back')";

  it("returns the price of a purchase once, for super admins only", async () => {
    const [ada, boss] = [await person(), (await acting.person({ role: "super_admin" })).id];
    const purchase = await bookOne(ada, -20, "purchase:x");
    expect(await acting.outcome({ person: ada }, statement, [purchase])).toBe("auth.forbidden");
    expect(await acting.outcome("service", statement, [purchase])).toBe("42501");
    const { rows } = await acting.run({ person: boss }, statement, [purchase], "keep");
    expect(rows[0]).toMatchObject({ user_id: ada, type: "refund", amount: 20, balance_after: 50 });
    expect(await acting.outcome({ person: boss }, statement, [purchase])).toBe("drops.already_refunded");
    expect(await acting.outcome({ person: boss }, statement, [rows[0].id])).toBe("drops.not_refundable");
    expect(await acting.outcome({ person: boss }, statement, [UNKNOWN_ID])).toBe("drops.transaction_not_found");
  });

  it("of one purchase happens once if requested sixteen times at the same time", async () => {
    const [ada, boss] = [await person(), (await acting.person({ role: "super_admin" })).id];
    const purchase = await bookOne(ada, -20, "purchase:y");

    const pool = new pg.Pool({ connectionString: acting.adminUrl, max: 16 });
    pool.on("connect", (client) => {
      void client.query(`set request.jwt.claims = '${JSON.stringify({ sub: boss })}'`);
    });
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => pool.query(statement, [purchase])));
    await pool.end();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.detail).toBe("drops.already_refunded");
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
