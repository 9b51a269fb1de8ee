import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ADJUST = "/api/admin/drops/adjust";
const REFUND = "/api/admin/drops/refund";
const root = beforeTests(() => api.person({ role: "super_admin" }));

const ledger = (person: Person) =>
  api.one`
    select a.drops_balance as balance, sum(t.amount)::int as sum, count(*)::int as movements
    from nectar.accounts a join nectar.drop_transactions t on t.user_id = a.user_id
    where a.user_id = ${person.id} group by a.drops_balance`;

const adjust = (person: Person, amount: number, description = "Test", headers = {}) =>
  api.post(ADJUST, root, { user_id: person.id, amount, description }, headers);

/** A purchase as tone packs make it. */
async function purchase(person: Person, price: number): Promise<string> {
  const pack = randomUUID();
  const { id } = await api.one<{ id: string }>`
    select (private.post_drop_transaction(
      ${person.id}, 'purchase', ${-price}, ${`purchase:${pack}`}, 'Tone pack', ${pack}, 'tone_pack')).id`;
  return id;
}

describe("POST /api/admin/drops/adjust", () => {
  it("gives and takes drops with a ledger entry", async () => {
    const ada = await api.person();
    const given = await adjust(ada, 25, " For the bug report ").ok();
    expect(given).toMatchObject({
      balance: 75,
      transaction: { type: "admin_adjustment", amount: 25, balance_after: 75, description: "For the bug report" },
    });
    expect(given.transaction).toMatchObject({ item_id: null, item_type: null });
    expect(await adjust(ada, -75).ok()).toMatchObject({ balance: 0, transaction: { amount: -75 } });
    expect(await ledger(ada)).toEqual({ balance: 0, sum: 0, movements: 3 });
  });

  it("never makes a balance negative or too high", async () => {
    const ada = await api.person();
    await adjust(ada, -51).refused(409, "drops.balance_would_be_negative");
    await adjust(ada, 2_147_483_647).refused(409, "drops.balance_too_high");
    expect(await ledger(ada)).toEqual({ balance: 50, sum: 50, movements: 1 });
  });

  it("refuses zero drops and unknown users", async () => {
    const ada = await api.person();
    const good = { user_id: ada.id, amount: 1, description: "Good" };
    await api.post(ADJUST, root, { ...good, amount: 0 }).invalid("amount");
    await api.post(ADJUST, root, { ...good, user_id: randomUUID() }).refused(404, "user.not_found");
    expect((await ledger(ada)).movements).toBe(1);
  });
});

describe("POST /api/admin/drops/refund", () => {
  it("refunds a purchase once", async () => {
    const ada = await api.person();
    const bought = await purchase(ada, 30);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.post(REFUND, root, { transaction_id: bought })),
    );
    const [done, ...others] = responses.toSorted((a, b) => a.status - b.status);
    const transaction = {
      type: "refund",
      amount: 30,
      balance_after: 50,
      item_type: "tone_pack",
      description: "Refund",
    };
    expect(done?.body).toMatchObject({ balance: 50, transaction });
    for (const { status, body } of others) expect([status, body.code]).toEqual([409, "drops.already_refunded"]);
    expect(await ledger(ada)).toEqual({ balance: 50, sum: 50, movements: 3 });
  });

  it("never makes a balance too high", async () => {
    const ada = await api.person();
    const bought = await purchase(ada, 30);
    await adjust(ada, 2_147_483_627).ok();
    await api.post(REFUND, root, { transaction_id: bought }).refused(409, "drops.balance_too_high");
    expect(await ledger(ada)).toEqual({ balance: 2_147_483_647, sum: 2_147_483_647, movements: 3 });
  });

  it("stores the description", async () => {
    const bought = await purchase(await api.person(), 10);
    const { body } = await api.post(REFUND, root, { transaction_id: bought, description: "Wrong pack" });
    expect(body.transaction.description).toBe("Wrong pack");
  });

  it("refuses other transactions and unknown ones", async () => {
    const ada = await api.person();
    const { transaction } = await adjust(ada, 1).ok();
    await api.post(REFUND, root, { transaction_id: transaction.id }).refused(409, "drops.not_refundable");
    await api.post(REFUND, root, { transaction_id: randomUUID() }).refused(404, "drops.transaction_not_found");
  });
});
