import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnections } from "#local/support/connection";
import { LONG } from "#tests/long";
import { useActing } from "../support/acting.ts";
import {
  aim,
  apply,
  at,
  type Command,
  type Draft,
  lookAt,
  shownTo,
  startingWith,
  sumsOf,
  type World,
  withoutAccount,
} from "./model.ts";
import { castOf, deleteAll, lookBehind, packsShownTo, run, type Setting, sumsOfCast } from "./script.ts";

const acting = useActing();
let setting: Setting;
beforeAll(async () => {
  setting = {
    acting,
    pool: openConnections(acting.adminUrl, { max: 4 }),
    superAdmin: (await acting.person({ role: "super_admin" })).id,
  };
});
afterAll(() => setting.pool.end());

const PACKS = 3;
const anyone = fc.nat({ max: 3 });
const anyPack = fc.nat({ max: PACKS - 1 });
const price = fc.integer({ min: 0, max: 60 });
const amount = fc.integer({ min: -60, max: 60 }).filter((drops) => drops !== 0);
/** Fits on a new account, and leaves room for few drops. */
const treasure = fc.constant(2_147_483_585);

function aboutPerson(person: fc.Arbitrary<number>) {
  return fc.oneof<fc.WeightedArbitrary<Draft>[]>(
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
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("adjust"),
        person,
        amount: fc.oneof({ weight: 4, arbitrary: amount }, { weight: 1, arbitrary: treasure }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("purchase"), person, price, event: fc.constantFrom("a", "b") }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("give"),
        gifts: fc.array(fc.record({ person, amount }), { minLength: 1, maxLength: 4 }),
        event: fc.constantFrom("a", "b"),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete account"), person }) },
  );
}

/** A refund may be of anything. */
function aboutPack(pack: fc.Arbitrary<number>) {
  return fc.oneof<fc.WeightedArbitrary<Draft>[]>(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("buy pack"),
        person: anyone,
        pack,
        expects: fc.constantFrom("the price asked", "the price asked", "any price", "another price"),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("refund"), purchase: fc.nat({ max: 11 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("change price"), pack, price }) },
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

const draft = fc.oneof({ weight: 2, arbitrary: aboutPerson(anyone) }, { weight: 3, arbitrary: aboutPack(anyPack) });
const twoAboutOnePack = anyPack.map(fc.constant).chain((pack) => fc.tuple(aboutPack(pack), aboutPack(pack)));
const threeAboutOnePerson = anyone
  .map(fc.constant)
  .chain((person) => fc.tuple(aboutPerson(person), aboutPerson(person), aboutPerson(person)));

/** One command, or some that run at the same time; with patience, none commits before the others are done or wait. */
const step = fc.oneof(
  fc.record({ drafts: fc.tuple(draft), patience: fc.constant(0) }),
  fc.record({
    drafts: fc.oneof<fc.Arbitrary<Draft[]>[]>(fc.tuple(draft, draft), twoAboutOnePack, threeAboutOnePerson),
    patience: fc.constantFrom(0, 8),
  }),
);
const script = fc.record({
  prices: fc.array(price, { minLength: PACKS, maxLength: PACKS }),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});

/** Each of these must happen in some script. */
const EVERYTHING = [
  "sign up: joined",
  ...["deleted", "nothing"].map((end) => `delete account: ${end}`),
  ...["drops", "nothing", "no account"].map((end) => `award: ${end}`),
  ...["drops", "drops.insufficient_balance", "drops.balance_too_high", "user.not_found"].map((end) => `adjust: ${end}`),
  ...["drops", "nothing", "drops.insufficient_balance"].map((end) => `purchase: ${end}`),
  ...["drops", "nothing", "23514"].map((end) => `give: ${end}`),
  ...[
    "drops",
    "no account",
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
  it("agrees with it, and commands at the same time have the outcome of one of their orders", async () => {
    const happened = new Set<string>();
    await fc.assert(
      fc.asyncProperty(script, async ({ prices, steps }) => {
        const cast = await castOf(setting, prices);
        let world = startingWith(prices);
        let id = 0;
        for (const { drafts, patience } of steps) {
          const commands = drafts.map((one) => aim(world, one));
          const outcomes = await run(setting, cast, commands, id, patience);
          const seen = await lookBehind(setting, cast);
          const possible = ordersOf([...commands.keys()]).map((order) => inOrder(world, commands, order, id));
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
        for (const [place, { isDeleted }] of world.people.entries()) {
          if (!isDeleted) expect(await packsShownTo(setting.pool, cast, place)).toEqual(shownTo(world, place));
        }
        await deleteAll(setting, cast);
        expect(await sumsOfCast(acting, cast)).toEqual(sumsOf([...world.people.keys()].reduce(withoutAccount, world)));
      }),
      { numRuns: LONG ? 1_000 : 60 },
    );
    expect([...happened]).toEqual(expect.arrayContaining(EVERYTHING));
  });
});

/** Two bookings that locked in the order of their lists would wait for each other: the first for Ben, the second for Ada. */
it("bookings of many accounts in opposite orders do not deadlock", async () => {
  const [ada = "", ben = ""] = [(await acting.person()).id, (await acting.person()).id].sort();
  const book = (event: string, ...people: string[]) =>
    setting.pool.query("select from private.post_drop_transactions($1, 'refund', $2, 'a test')", [
      JSON.stringify(people.map((id) => ({ user_id: id, amount: 1 }))),
      event,
    ]);
  const bookings = await acting.inTransaction(async ({ query }) => {
    await query`select from nectar.accounts where user_id = ${ben} for update`;
    const backwards = book("backwards", ben, ada);
    await acting.untilWaiting(1);
    const forwards = book("forwards", ada, ben);
    await acting.untilWaiting(2);
    return [backwards, forwards];
  });
  expect(await Promise.all(bookings)).toMatchObject([{ rowCount: 2 }, { rowCount: 2 }]);
});

it.each([
  [
    "a second movement of an event",
    "drop_transactions_once_per_event",
    `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
     select user_id, type, amount, balance_after, description, event_key from nectar.drop_transactions where user_id = $1`,
  ],
  [
    "a movement to less than nothing",
    "drop_transactions_balance_not_negative",
    "update nectar.drop_transactions set balance_after = -1 where user_id = $1",
  ],
  [
    "a balance of less than nothing",
    "accounts_drops_balance_not_negative",
    "update nectar.accounts set drops_balance = -1 where user_id = $1",
  ],
])("the tables themselves refuse %s", async (_, constraint, statement) => {
  const { id } = await acting.person();
  await expect(acting.admin.query(statement, [id])).rejects.toMatchObject({ constraint });
});

/** All orders of some numbers. */
function ordersOf(numbers: readonly number[]): number[][] {
  if (numbers.length === 0) return [[]];
  return numbers.flatMap((first) =>
    ordersOf(numbers.filter((other) => other !== first)).map((others) => [first, ...others]),
  );
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
