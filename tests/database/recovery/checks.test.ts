import { expect, test } from "vitest";
import { compareFacts, findLedgerProblems, readFacts } from "#local/recovery/checks";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const live = useActing();
const ada = beforeTests(() => live.person());

test("a database is the same as itself, and its ledger is in order", async () => {
  const facts = await readFacts(live.admin);
  expect(facts.get("rows of auth.users")).toMatch(/^[1-9]/);
  expect(compareFacts(facts, await readFacts(live.admin))).toEqual([]);
  expect(await findLedgerProblems(live.admin)).toEqual([]);
});

test("a table with other rows is named with both numbers", async () => {
  const facts = await readFacts(live.admin);
  const count = Number(facts.get("rows of nectar.profiles"));
  await live.admin.query("begin; set local session_replication_role = replica");
  await live.admin.query("delete from nectar.profiles where id = $1", [ada.id]);
  expect(compareFacts(facts, await readFacts(live.admin))).toEqual([
    `rows of nectar.profiles: ${count} in the database, ${count - 1} restored.`,
  ]);
  await live.admin.query("rollback");
});

test("a balance that is not the sum of its movements is found", async () => {
  await live.admin.query("begin");
  await live.admin.query("update nectar.accounts set drops_balance = drops_balance + 1 where user_id = $1", [ada.id]);
  expect(await findLedgerProblems(live.admin)).toEqual([
    `balance of account ${ada.id} is 51 instead of 50.`,
    "The ledger is not reconciled.",
  ]);
  await live.admin.query("rollback");
});
