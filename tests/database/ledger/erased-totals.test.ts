import { beforeEach, expect, test } from "vitest";
import { beforeEachTest } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const NOTHING = { issued: "0", spent: "0", refunded: "0", adjusted: "0", balance: "0" };

const book = (person: string, type: string, amount: number) =>
  acting.query`select from private.post_drop_transaction(${person}, ${type}, ${amount}, gen_random_uuid()::text, 'a test')`;

/** Someone who was given 80, paid 15 and 20, got 15 back and lost 7 to an admin. */
async function trader() {
  const { id } = await acting.person();
  for (const [type, amount] of [
    ["monthly_recurring", 30],
    ["purchase", -15],
    ["purchase", -20],
    ["refund", 15],
    ["admin_adjustment", -7],
  ] as const) {
    await book(id, type, amount);
  }
  return { id };
}
const TRADED = { issued: "80", spent: "35", refunded: "15", adjusted: "-7", balance: "53" };

const totals = () =>
  acting.one`select issued::text, spent::text, refunded::text, adjusted::text, balance::text from private.erased_totals`;

const ada = beforeEachTest(trader);
beforeEach(async () => {
  await acting.query`update private.erased_totals set issued = 0, spent = 0, refunded = 0, adjusted = 0, balance = 0`;
});

test("deleting an account adds its movements and its balance, once", async () => {
  await acting.query`delete from auth.users where id = ${ada.id}`;
  expect(await totals()).toEqual(TRADED);
  await acting.query`delete from auth.users where id = ${ada.id}`;
  expect(await totals()).toEqual(TRADED);
});

test("a deletion of the profile alone counts as well", async () => {
  await acting.query`delete from nectar.profiles where id = ${ada.id}`;
  expect(await totals()).toEqual(TRADED);
});

test("several accounts that are deleted by one statement are added up", async () => {
  const ben = await acting.person();
  await acting.query`delete from auth.users where id in (${ada.id}, ${ben.id})`;
  expect(await totals()).toEqual({ ...TRADED, issued: "130", balance: "103" });
});

test("a deletion that is rolled back adds nothing", async () => {
  await acting.inTransaction(async (client) => {
    await client.query("delete from auth.users where id = $1", [ada.id]);
    await client.query("rollback");
  });
  expect(await totals()).toEqual(NOTHING);
});

test("a synthetic user, who has no drops, adds nothing", async () => {
  const { id } = await acting.one<{ id: string }>`
    insert into auth.users (id, raw_app_meta_data) values (gen_random_uuid(), '{"nectar": "synthetic"}') returning id`;
  await acting.query`delete from auth.users where id = ${id}`;
  expect(await totals()).toEqual(NOTHING);
});
