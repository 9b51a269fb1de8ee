import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { type Reconciled, reconciled } from "./reconciliation.ts";

const acting = useActing();
const seller = beforeTests(() => acting.person());
const ada = beforeEachTest(() => acting.person());
const pack = beforeTests(
  () => acting.one<{ id: string }>`
    insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
    values (${seller.id}, 'Cranes', 'origami', true, 20) returning id`,
);

const buy = (person: string) => acting.run({ person }, "select private.purchase_tone_pack($1, 20)", [pack.id], "keep");
const award = (person: string, month: string) =>
  acting.run({ person }, "select private.award_monthly_drops($1)", [`${month}-15T12:00Z`], "keep");

/** Differences of Ada's rows after statements of a superuser who bypasses triggers; all of it is rolled back. */
async function planted(...statements: readonly string[]): Promise<Reconciled> {
  return acting.inTransaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    for (const statement of statements) await client.query(statement.replaceAll(":ada", `'${ada.id}'`));
    const result = await reconciled(client);
    await client.query("rollback");
    return result;
  });
}

const difference = (kind: string, expected: number, found: number) => ({ user_id: ada.id, kind, expected, found });
/** A movement of Ada's that follows from the one before. */
const moved = (type: string, amount: number, key: string) => `
  with moved as (update nectar.accounts set drops_balance = drops_balance + ${amount} where user_id = :ada returning *)
  insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
  select user_id, '${type}', ${amount}, drops_balance, 'planted', '${key}', clock_timestamp() + interval '1 second' from moved`;

describe("the comparison of the ledger", () => {
  it.each<[kind: string, expected: number, found: number, ...statements: string[]]>([
    ["balance", 50, 55, "update nectar.accounts set drops_balance = 55 where user_id = :ada"],
    [
      "balance",
      50,
      0,
      // The account is gone, and its movements are not.
      "delete from nectar.accounts where user_id = :ada",
    ],
    [
      "gap",
      50,
      51,
      moved("refund", 5, "refund:one"),
      "update nectar.drop_transactions set balance_after = 51 where user_id = :ada and type = 'signup_bonus'",
    ],
    [
      "negative",
      0,
      -10,
      "alter table nectar.accounts drop constraint accounts_drops_balance_not_negative",
      "alter table nectar.drop_transactions drop constraint drop_transactions_balance_not_negative",
      moved("admin_adjustment", -60, "adjustment:one"),
      moved("admin_adjustment", 30, "adjustment:two").replace("1 second", "2 seconds"),
    ],
    [
      "missing_signup_bonus",
      1,
      0,
      "update nectar.drop_transactions set type = 'admin_adjustment' where user_id = :ada and type = 'signup_bonus'",
    ],
    [
      "missing_signup_bonus",
      1,
      0,
      "delete from nectar.drop_transactions where user_id = :ada",
      "update nectar.accounts set drops_balance = 0 where user_id = :ada",
    ],
    ["twice_in_a_month", 0, 1, moved("monthly_recurring", 30, "monthly:2026-11 again")],
  ])("finds %s, expected %d, found %d, and nothing else", async (kind, expected, found, ...statements) => {
    const result = await planted(...statements);
    expect(result.differences).toEqual([difference(kind, expected, found)]);
    expect(result.ok).toBe(false);
  });

  it("finds a second award of a month also if it is recorded as one", async () => {
    await award(ada.id, "2026-11");
    const { differences } = await planted(
      "alter table nectar.monthly_drop_awards drop constraint monthly_drop_awards_pkey",
      moved("monthly_recurring", 30, "monthly:second"),
      `insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
       select user_id, '2026-11-01', 30, id from nectar.drop_transactions where event_key = 'monthly:second'`,
    );
    expect(differences).toEqual([difference("twice_in_a_month", 1, 2)]);
  });

  it.each([
    ["whose row is gone", "delete from nectar.tone_pack_purchases where user_id = :ada"],
    ["that ended without a refund", "update nectar.tone_pack_purchases set refunded_at = now() where user_id = :ada"],
  ])("finds a purchase %s as one without a pack, and nothing else", async (_, statement) => {
    await buy(ada.id);
    const { differences } = await planted(statement);
    expect(differences).toEqual([difference("purchase_without_pack", 1, 0)]);
  });

  it("finds purchases of a pack that is gone", async () => {
    await buy(ada.id);
    const { differences } = await planted(`delete from nectar.tone_packs where id = '${pack.id}'`);
    expect(differences).toContainEqual(difference("purchase_without_pack", 1, 0));
    expect(new Set(differences.map(({ kind }) => kind))).toEqual(new Set(["purchase_without_pack"]));
  });

  it.each([
    [
      "that was not paid for",
      `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
       select t.id, :ada, 20, '${randomUUID()}' from nectar.tone_packs t`,
    ],
    [
      "paid for by the signup bonus",
      `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
       select p.id, :ada, 20, t.id from nectar.tone_packs p, nectar.drop_transactions t where t.user_id = :ada`,
    ],
  ])("finds a pack %s, and nothing else", async (_, statement) => {
    expect((await planted(statement)).differences).toEqual([difference("pack_without_purchase", 0, 1)]);
  });

  it("finds a pack that stayed after its refund", async () => {
    await buy(ada.id);
    const { differences } = await planted(
      `with bought as (
         select 'refund:' || transaction_id as key from nectar.tone_pack_purchases where user_id = :ada
       ), moved as (
         update nectar.accounts set drops_balance = drops_balance + 20 where user_id = :ada returning *
       )
       insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
       select user_id, 'refund', 20, drops_balance, 'planted', key, clock_timestamp() + interval '1 second'
       from moved, bought`,
    );
    expect(differences).toEqual([difference("pack_without_purchase", 0, 1)]);
  });

  it("lists differences by kind and then by user, and at most 100", async () => {
    const many = await planted(
      "update nectar.accounts set drops_balance = drops_balance + 1",
      "update nectar.drop_transactions set balance_after = balance_after + 1 where type = 'signup_bonus'",
    );
    const order = many.differences.map(({ kind, user_id }) => `${kind} ${user_id}`);
    expect(order.length).toBeGreaterThan(5);
    expect(order).toEqual(order.toSorted());
    const hundred = await planted(
      `insert into nectar.accounts (user_id, drops_balance) select gen_random_uuid(), 1 from generate_series(1, 150)`,
    );
    expect(hundred.differences).toHaveLength(100);
  });

  it("is not ok if the sums of deleted accounts were changed, although no account differs", async () => {
    expect(await planted("update private.erased_totals set issued = issued + 1")).toMatchObject({
      ok: false,
      differences: [],
    });
  });

  it("corrects nothing", async () => {
    await acting.inTransaction(async (client) => {
      await client.query("update nectar.accounts set drops_balance = 51 where user_id = $1", [ada.id]);
      await client.query("set transaction read only");
      expect(await reconciled(client)).toMatchObject({ ok: false });
      expect((await reconciled(client)).differences).toEqual([difference("balance", 50, 51)]);
      await client.query("rollback");
    });
  });
});

it("the buyers of an owner's packs keep them and what they paid when the owner's account is deleted", async () => {
  const owner = await acting.person();
  const { id } = await acting.one<{ id: string }>`
    insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
    values (${owner.id}, 'Cranes', 'origami', true, 5) returning id`;
  await acting.run({ person: ada.id }, "select private.purchase_tone_pack($1, 5)", [id], "keep");
  await acting.query`delete from auth.users where id = ${owner.id}`;
  expect(
    await acting.query`select amount, balance_after, item_id from nectar.drop_transactions
      where user_id = ${ada.id} and type = 'purchase'`,
  ).toEqual([{ amount: -5, balance_after: 45, item_id: id }]);
  expect(await reconciled(acting)).toMatchObject({ ok: true, differences: [] });
});

it("movements of an account have times in the order in which they were booked, also if a clock was set back", async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  await acting.query`update nectar.drop_transactions set created_at = now() + interval '1 minute'
    where user_id = ${ada.id}`;
  await acting.query`select from private.post_drop_transaction(${ada.id}, 'refund', 1, ${one}, 'a test')`;
  await acting.query`select from private.post_drop_transactions(
    ${JSON.stringify([{ user_id: ada.id, amount: 2 }])}, 'refund', ${two}, 'a test')`;
  expect(
    await acting.query`select event_key, balance_after from nectar.drop_transactions where user_id = ${ada.id}
      order by created_at`,
  ).toEqual([
    { event_key: "signup_bonus", balance_after: 50 },
    { event_key: one, balance_after: 51 },
    { event_key: two, balance_after: 53 },
  ]);
  expect(await reconciled(acting)).toMatchObject({ ok: true });
});
