import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp } from "../../support/people.ts";
import { become, sqlstateOf, useActing } from "../support/acting.ts";
import { brokenAccounts } from "./ledger-checks.ts";
import { apply, type Command, type ModelAccount, SIGNED_UP } from "./ledger-model.ts";

const LONG = process.env.NECTAR_TEST_LONG === "1";
const acting = useActing();
let pool: pg.Pool;
let superAdmin: string;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: acting.adminUrl, max: 4 });
  superAdmin = (await signUp(acting.adminUrl, { role: "super_admin" })).id;
});
afterAll(() => pool.end());

const event = fc.constantFrom("a", "b", "c", "d");
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant("award" as const), month: fc.constantFrom("2026-11-01", "2026-12-01") }),
  fc.record({ kind: fc.constant("adjust" as const), amount: fc.integer({ min: -60, max: 60 }).filter((n) => n !== 0) }),
  fc.record({ kind: fc.constant("purchase" as const), price: fc.integer({ min: 0, max: 45 }), event }),
  fc.record({ kind: fc.constant("refund" as const), purchase: event }),
);

/** Steps of one command, or of two that run at the same time. */
const steps = fc.array(fc.oneof(fc.tuple(command), fc.tuple(command, command)), { minLength: 1, maxLength: 12 });

describe("the ledger against its model", () => {
  it(
    "does what plain arithmetic does, and two commands at once do what one of their two orders does",
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (script) => {
          const { id } = await signUp(acting.adminUrl);
          let model: ModelAccount = SIGNED_UP;
          for (const step of script) {
            // What a refund names is looked up before either runs: it cannot give back what is bought at the same moment.
            const prepared = await Promise.all(step.map((one) => prepare(id, one)));
            const outcomes = await Promise.all(prepared.map((run) => run()));
            const balance = await balanceOf(id);
            const possible = ordersOf(step).map((order) => inOrder(model, step, order));
            const fitting = possible.find((one) => one.account.balance === balance && areSame(one.outcomes, outcomes));
            expect(fitting, JSON.stringify({ step, outcomes, balance, possible })).toBeDefined();
            model = fitting?.account ?? model;
          }
        }),
        { numRuns: LONG ? 2_000 : 60 },
      );
      expect(await brokenAccounts(acting.admin)).toEqual([]);
    },
    LONG ? 900_000 : 60_000,
  );
});

function ordersOf(step: readonly Command[]): number[][] {
  return step.length === 1
    ? [[0]]
    : [
        [0, 1],
        [1, 0],
      ];
}

/** Runs a step through the model in one order; a refund knows the purchases that there were before the step. */
function inOrder(before: ModelAccount, step: readonly Command[], order: readonly number[]) {
  const outcomes: (number | string)[] = step.map(() => "not run");
  let account = before;
  for (const index of order) {
    const one = step[index];
    if (one === undefined) continue;
    const unknown = one.kind === "refund" && before.purchases[one.purchase] === undefined;
    const result = unknown ? { account, outcome: "NX010" } : apply(account, one);
    outcomes[index] = result.outcome;
    account = result.account;
  }
  return { account, outcomes };
}

async function prepare(id: string, one: Command): Promise<() => Promise<number | string>> {
  switch (one.kind) {
    case "award":
      return () => outcomeOf(id, "select nullif(private.award_monthly_drops($1), 0) as amount", [one.month]);
    case "adjust":
      return () => outcomeOf(superAdmin, "select amount from private.adjust_drops($1, $2, 'a test')", [id, one.amount]);
    case "purchase":
      return () =>
        outcomeOf(null, "select amount from private.post_drop_transaction($1, 'purchase', $2, $3, 'a test')", [
          id,
          -one.price,
          `purchase:${one.event}`,
        ]);
    case "refund": {
      const { rows } = await acting.admin.query<{ id: string }>(
        "select t.id from nectar.drop_transactions t where t.user_id = $1 and t.event_key = $2",
        [id, `purchase:${one.purchase}`],
      );
      const purchase = rows[0]?.id ?? "00000000-0000-4000-8000-000000000000";
      return () => outcomeOf(superAdmin, "select amount from private.refund_purchase($1, 'a test')", [purchase]);
    }
  }
}

/** Runs a statement in a transaction, as a person or (null) as the functions of the database that may book. */
async function outcomeOf(person: string | null, statement: string, values: readonly unknown[]) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    if (person !== null) await become(client, { person });
    const { rows } = await client.query<{ amount: number | null }>(statement, [...values]);
    await client.query("commit");
    const amount = rows[0]?.amount;
    return amount ?? "nothing";
  } catch (error) {
    await client.query("rollback");
    return sqlstateOf(error);
  } finally {
    client.release();
  }
}

async function balanceOf(id: string): Promise<number> {
  const { rows } = await acting.admin.query("select drops_balance from nectar.accounts where user_id = $1", [id]);
  return rows[0].drops_balance;
}

function areSame(expected: readonly (number | string)[], actual: readonly (number | string)[]): boolean {
  return expected.length === actual.length && expected.every((one, index) => one === actual[index]);
}
