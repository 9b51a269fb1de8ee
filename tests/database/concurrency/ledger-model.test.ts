import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnections } from "#local/support/connection";
import { LONG } from "#tests/long";
import { reconciled } from "../ledger/reconciliation.ts";
import { useActing } from "../support/acting.ts";
import { brokenAccounts } from "./ledger-checks.ts";
import { aim, apply, at, type Command, type Draft, lookAt, shownTo, startingWith, type World } from "./ledger-model.ts";
import { castOf, lookBehind, packsShownTo, run, type Setting } from "./ledger-script.ts";

const acting = useActing();
let setting: Setting;
beforeAll(async () => {
  setting = {
    adminUrl: acting.adminUrl,
    pool: openConnections(acting.adminUrl, { max: 4 }),
    superAdmin: (await acting.person({ role: "super_admin" })).id,
  };
});
afterAll(() => setting.pool.end());

const PACKS = 3;
const person = fc.nat({ max: 3 });
const price = fc.integer({ min: 0, max: 45 });

const aboutBalances = fc.oneof<fc.WeightedArbitrary<Draft>[]>(
  { weight: 1, arbitrary: fc.constant({ kind: "sign up" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("award"),
      person,
      month: fc.constantFrom("2026-11-01", "2026-12-01"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("adjust"),
      person,
      amount: fc.integer({ min: -60, max: 60 }).filter((amount) => amount !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("purchase"), person, price, event: fc.constantFrom("a", "b") }),
  },
);

/** A refund may be of anything. */
function about(pack: fc.Arbitrary<number>) {
  return fc.oneof<fc.WeightedArbitrary<Draft>[]>(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("buy pack"),
        person,
        pack,
        expects: fc.constantFrom("the price asked", "the price asked", "any price", "another price"),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("refund"), purchase: fc.nat({ max: 11 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("change price"), pack, price }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("delete pack"),
        pack,
        by: fc.constantFrom("its owner", "its owner", "its owner", "someone else"),
      }),
    },
  );
}

const anyPack = fc.nat({ max: PACKS - 1 });
const draft = fc.oneof({ weight: 1, arbitrary: aboutBalances }, { weight: 2, arbitrary: about(anyPack) });
const twoAboutOnePack = anyPack.chain((pack) => fc.tuple(about(fc.constant(pack)), about(fc.constant(pack))));

/** One command, or two that run at the same time; with patience, neither commits before the other is done or waits. */
const step = fc.oneof(
  fc.record({ drafts: fc.tuple(draft), patience: fc.constant(0) }),
  fc.record({ drafts: fc.oneof(fc.tuple(draft, draft), twoAboutOnePack), patience: fc.constantFrom(0, 8) }),
);
const script = fc.record({
  prices: fc.array(price, { minLength: PACKS, maxLength: PACKS }),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
});

/** Each of these must happen in some script. */
const EVERYTHING = [
  "sign up: joined",
  ...["drops", "nothing"].map((end) => `award: ${end}`),
  ...["drops", "drops.insufficient_balance"].map((end) => `adjust: ${end}`),
  ...["drops", "nothing", "drops.insufficient_balance"].map((end) => `purchase: ${end}`),
  ...[
    "drops",
    "drops.insufficient_balance",
    "tone_pack.not_found",
    "tone_pack.own_pack",
    "tone_pack.already_purchased",
    "tone_pack.price_changed",
  ].map((end) => `buy pack: ${end}`),
  ...["drops", "drops.transaction_not_found", "drops.already_refunded"].map((end) => `refund: ${end}`),
  ...["changed", "nothing"].map((end) => `change price: ${end}`),
  ...["deleted", "nothing"].map((end) => `delete pack: ${end}`),
];

describe("the ledger against its model", () => {
  it("agrees with it, and two commands at the same time have the outcome of one of their two orders", async () => {
    const happened = new Set<string>();
    await fc.assert(
      fc.asyncProperty(script, async ({ prices, steps }) => {
        const cast = await castOf(setting, prices);
        let world = startingWith(prices);
        let id = 0;
        for (const { drafts, patience } of steps) {
          const commands = drafts.map((one) => aim(world, one));
          const outcomes = await run(setting, cast, commands, id, patience);
          const seen = await lookBehind(setting.pool, cast);
          const possible = ordersOf(commands).map((order) => inOrder(world, commands, order, id));
          const fitting = possible.find(
            (one) => isDeepStrictEqual(one.outcomes, outcomes) && isDeepStrictEqual(lookAt(one.world), seen),
          );
          const told = possible.map((one) => ({ outcomes: one.outcomes, visible: lookAt(one.world) }));
          expect(fitting, JSON.stringify({ world, commands, outcomes, seen, possible: told })).toBeDefined();
          world = fitting?.world ?? world;
          id += commands.length;
          for (const [index, outcome] of outcomes.entries()) {
            happened.add(`${at(commands, index).kind}: ${typeof outcome === "number" ? "drops" : outcome}`);
          }
        }
        for (const place of world.people.keys()) {
          expect(await packsShownTo(setting.pool, cast, place)).toEqual(shownTo(world, place));
        }
      }),
      { numRuns: LONG ? 1_000 : 60 },
    );
    expect([...happened].sort()).toEqual([...EVERYTHING].sort());
    expect(await brokenAccounts(acting.admin)).toEqual([]);
    expect(await reconciled(acting)).toMatchObject({ ok: true, differences: [] });
    await acting.query`delete from auth.users where id in (
        select p.id from nectar.profiles p where not p.is_ai order by p.created_at offset 1 limit 50)`;
    expect(await reconciled(acting)).toMatchObject({ ok: true, differences: [] });
  });
});

function ordersOf(commands: readonly Command[]): number[][] {
  return commands.length === 1
    ? [[0]]
    : [
        [0, 1],
        [1, 0],
      ];
}

/** Runs the commands of a step through the model in one order; outcomes are in the order of the commands. */
function inOrder(before: World, commands: readonly Command[], order: readonly number[], firstId: number) {
  const outcomes: (number | string)[] = commands.map(() => "not run");
  let world = before;
  for (const index of order) {
    const result = apply(world, at(commands, index), firstId + index);
    outcomes[index] = result.outcome;
    world = result.world;
  }
  return { world, outcomes };
}
