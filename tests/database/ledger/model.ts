/** People and packs are indexes of the lists of the world; a purchase is known by its id in the script. */
export type Command =
  | { readonly kind: "sign up" }
  | { readonly kind: "delete account"; readonly person: number }
  | { readonly kind: "award"; readonly person: number; readonly month: string }
  | { readonly kind: "adjust"; readonly person: number; readonly amount: number }
  | { readonly kind: "purchase"; readonly person: number; readonly price: number; readonly event: string }
  | { readonly kind: "give"; readonly gifts: readonly Gift[]; readonly event: string }
  | { readonly kind: "buy pack"; readonly person: number; readonly pack: number; readonly expected: number | null }
  | { readonly kind: "refund"; readonly purchase: number | null }
  | { readonly kind: "change price"; readonly person: number; readonly pack: number; readonly price: number }
  | { readonly kind: "delete pack"; readonly person: number; readonly pack: number };

/** The drops that a booking of many accounts moves for one person: received, or paid if the amount is negative. */
export interface Gift {
  readonly person: number;
  readonly amount: number;
}

/** A step of a script before the people exist: its numbers name people, modulo their count. */
export type Draft =
  | Exclude<Command, { readonly kind: "buy pack" | "refund" | "change price" | "delete pack" }>
  | {
      readonly kind: "buy pack";
      readonly person: number;
      readonly pack: number;
      readonly expects: "the price asked" | "another price" | "any price";
    }
  | { readonly kind: "refund"; readonly purchase: number }
  | { readonly kind: "change price"; readonly pack: number; readonly price: number }
  | { readonly kind: "delete pack"; readonly pack: number; readonly by: "its owner" | "someone else" };

interface Movement {
  readonly type: "signup_bonus" | "monthly_recurring" | "purchase" | "refund" | "admin_adjustment";
  readonly amount: number;
}

interface Person {
  readonly movements: readonly Movement[];
  /** The keys of the events that were booked on this account; each may be booked once. */
  readonly events: readonly string[];
  readonly isDeleted: boolean;
}

interface Pack {
  readonly owner: number;
  readonly price: number;
  readonly isDeleted: boolean;
}

/** A payment for a pack, or for something else. */
interface Purchase {
  readonly id: number;
  readonly person: number;
  readonly price: number;
  readonly pack: number | null;
  readonly isRefunded: boolean;
}

/** Everyone's ledger and the packs as they should be: plain arithmetic, no database. */
export interface World {
  readonly people: readonly Person[];
  readonly packs: readonly Pack[];
  readonly purchases: readonly Purchase[];
}

/** Sums of all movements ever, of deleted accounts too. */
export interface Sums {
  readonly accounts: number;
  readonly movements: number;
  readonly issued: number;
  readonly spent: number;
  readonly refunded: number;
  readonly adjusted: number;
  readonly erased: number;
  readonly circulating: number;
}

export interface Visible {
  /** The balance of each person, and their movements with the balance after each; null for a deleted account. */
  readonly books: readonly ({ readonly balance: number; readonly movements: readonly string[] } | null)[];
  /** The packs of each person that they have bought and not given back. */
  readonly bought: readonly (readonly number[])[];
  readonly packs: readonly { readonly price: number; readonly isDeleted: boolean; readonly hasImages: boolean }[];
  readonly sums: Sums;
}

/** The world afterwards, and drops moved, a word, or the error code that refuses the command. */
export interface Result {
  readonly world: World;
  readonly outcome: number | string;
}

const NEWCOMER: Person = { movements: [{ type: "signup_bonus", amount: 50 }], events: [], isDeleted: false };
const MAX_BALANCE = 2_147_483_647;
/** The first people own the packs and stay; the others may delete their accounts. */
const OWNERS = 2;

/** Two people who own packs at these prices, in turns, and one who owns none. */
export function startingWith(prices: readonly number[]): World {
  return {
    people: [NEWCOMER, NEWCOMER, NEWCOMER],
    packs: prices.map((price, index) => ({ owner: index % OWNERS, price, isDeleted: false })),
    purchases: [],
  };
}

/** Resolves a draft to people and packs that exist before its step. */
export function aim(world: World, draft: Draft): Command {
  const person = (number: number) => number % world.people.length;
  const packOf = (number: number) => number % world.packs.length;
  switch (draft.kind) {
    case "sign up":
      return draft;
    case "delete account":
      return { ...draft, person: OWNERS + (draft.person % (world.people.length - OWNERS)) };
    case "award":
    case "adjust":
    case "purchase":
      return { ...draft, person: person(draft.person) };
    case "give": {
      const gifts = new Map(draft.gifts.map((gift) => [person(gift.person), gift.amount]));
      return { ...draft, gifts: [...gifts].map(([one, amount]) => ({ person: one, amount })) };
    }
    case "buy pack": {
      const pack = packOf(draft.pack);
      const asked = at(world.packs, pack).price;
      const expected = { "the price asked": asked, "another price": asked + 1, "any price": null }[draft.expects];
      return { kind: draft.kind, person: person(draft.person), pack, expected };
    }
    case "refund":
      return { ...draft, purchase: world.purchases[draft.purchase % world.purchases.length]?.id ?? null };
    case "change price": {
      const pack = packOf(draft.pack);
      return { ...draft, pack, person: at(world.packs, pack).owner };
    }
    case "delete pack": {
      const pack = packOf(draft.pack);
      const { owner } = at(world.packs, pack);
      return { kind: draft.kind, pack, person: draft.by === "its owner" ? owner : (owner + 1) % OWNERS };
    }
  }
}

/**
 * Applies a command to the model.
 * @param id what a purchase is called if the command makes one
 */
export function apply(world: World, command: Command, id: number): Result {
  const end = (outcome: string): Result => ({ world, outcome });
  switch (command.kind) {
    case "sign up":
      return { world: { ...world, people: [...world.people, NEWCOMER] }, outcome: "joined" };
    case "delete account":
      return at(world.people, command.person).isDeleted
        ? end("nothing")
        : { world: withoutAccount(world, command.person), outcome: "deleted" };
    case "award": {
      const { person, month } = command;
      if (at(world.people, person).isDeleted) return end("no account");
      const award = { type: "monthly_recurring", amount: 30 } as const;
      const result = booked(world, person, award, `monthly:${month}`);
      // A job goes on with other people when a balance cannot hold more, and so does the request of one person.
      return result.outcome === "drops.balance_too_high" ? end("nothing") : result;
    }
    case "adjust":
      return booked(world, command.person, { type: "admin_adjustment", amount: command.amount });
    case "purchase": {
      const { person, price, event } = command;
      if (at(world.people, person).isDeleted) return end("nothing");
      return paid(world, { id, person, price, pack: null, isRefunded: false }, `purchase:${event}`);
    }
    case "give":
      return given(world, command);
    case "buy pack": {
      const { person, pack, expected } = command;
      const { owner, price, isDeleted } = at(world.packs, pack);
      if (at(world.people, person).isDeleted) return end("no account");
      if (boughtBy(world, person).includes(pack)) return end("tone_pack.already_purchased");
      if (isDeleted) return end("tone_pack.not_found");
      if (owner === person) return end("tone_pack.own_pack");
      if (expected !== null && expected !== price) return end("tone_pack.price_changed");
      return paid(world, { id, person, price, pack, isRefunded: false });
    }
    case "refund": {
      const index = world.purchases.findIndex((one) => one.id === command.purchase);
      if (index === -1) return end("drops.transaction_not_found");
      const purchase = at(world.purchases, index);
      if (purchase.isRefunded) return end("drops.already_refunded");
      const after = booked(world, purchase.person, { type: "refund", amount: purchase.price });
      if (typeof after.outcome === "string") return after;
      const purchases = world.purchases.with(index, { ...purchase, isRefunded: true });
      return { ...after, world: { ...after.world, purchases } };
    }
    case "change price": {
      const pack = at(world.packs, command.pack);
      if (pack.isDeleted) return end("nothing");
      return { world: withPack(world, command.pack, { ...pack, price: command.price }), outcome: "changed" };
    }
    case "delete pack": {
      const pack = at(world.packs, command.pack);
      if (pack.isDeleted || pack.owner !== command.person) return end("nothing");
      return { world: withPack(world, command.pack, { ...pack, isDeleted: true }), outcome: "deleted" };
    }
  }
}

/** The world without the account of a person; that of an owner leaves no packs that the model looks at. */
export function withoutAccount(world: World, index: number): World {
  return {
    ...world,
    people: world.people.with(index, { ...at(world.people, index), isDeleted: true }),
    purchases: world.purchases.filter(({ person }) => person !== index),
  };
}

/** The state of a world that readers see; the images of a deleted pack stay as long as it has a buyer. */
export function lookAt(world: World): Visible {
  const bought = world.people.map((_, person) => boughtBy(world, person));
  return {
    books: world.people.map((person) => (person.isDeleted ? null : bookOf(person))),
    bought,
    packs: world.packs.map(({ price, isDeleted }, pack) => ({
      price,
      isDeleted,
      hasImages: !isDeleted || bought.some((packs) => packs.includes(pack)),
    })),
    sums: sumsOf(world),
  };
}

export function sumsOf({ people }: World): Sums {
  const movements = people.flatMap((person) => person.movements);
  const ofType = (...types: Movement["type"][]) => sum(movements.filter(({ type }) => types.includes(type)));
  const left = people.filter((person) => !person.isDeleted).flatMap((person) => person.movements);
  return {
    accounts: people.filter(({ isDeleted }) => !isDeleted).length,
    movements: left.length,
    issued: ofType("signup_bonus", "monthly_recurring"),
    spent: 0 - ofType("purchase"),
    refunded: ofType("refund"),
    adjusted: ofType("admin_adjustment"),
    erased: sum(movements) - sum(left),
    circulating: sum(left),
  };
}

/** The packs that a person is shown: on offer, which their own are too, or bought. */
export function shownTo(world: World, person: number): number[] {
  const bought = boughtBy(world, person);
  return [...world.packs.keys()].filter((pack) => !at(world.packs, pack).isDeleted || bought.includes(pack));
}

function bookOf({ movements }: Person) {
  return {
    balance: sum(movements),
    movements: movements.map(({ type, amount }, index) => `${type} ${amount} = ${sum(movements.slice(0, index + 1))}`),
  };
}

function sum(movements: readonly Movement[]): number {
  return movements.reduce((total, { amount }) => total + amount, 0);
}

function boughtBy(world: World, person: number): number[] {
  return world.purchases
    .flatMap((one) => (one.person === person && !one.isRefunded && one.pack !== null ? [one.pack] : []))
    .sort((one, other) => one - other);
}

/** Gives to all or, if one of them has too little, to nobody; skips those who cannot get it. */
function given(world: World, { gifts, event }: Extract<Command, { readonly kind: "give" }>): Result {
  let after = world;
  let count = 0;
  for (const { person, amount } of gifts) {
    const result = booked(after, person, { type: "refund", amount }, `gift:${event}`);
    if (result.outcome === "drops.insufficient_balance") return { world, outcome: NEGATIVE_BALANCE };
    if (typeof result.outcome === "number") count += 1;
    after = result.world;
  }
  return { world: after, outcome: count === 0 ? "nothing" : count };
}
/** PostgreSQL's code for a row that a check constraint refuses. */
const NEGATIVE_BALANCE = "23514";

function paid(world: World, purchase: Purchase, event?: string): Result {
  const after = booked(world, purchase.person, { type: "purchase", amount: 0 - purchase.price }, event);
  if (typeof after.outcome === "string") return after;
  return { ...after, world: { ...after.world, purchases: [...world.purchases, purchase] } };
}

/** Moves drops, once for an event; no balance goes below zero or gets too high. */
function booked(world: World, index: number, movement: Movement, event?: string): Result {
  const person = at(world.people, index);
  const end = (outcome: string): Result => ({ world, outcome });
  if (person.isDeleted) return end("user.not_found");
  if (event !== undefined && person.events.includes(event)) return end("nothing");
  const balance = sum(person.movements) + movement.amount;
  if (balance < 0) return end("drops.insufficient_balance");
  if (balance > MAX_BALANCE) return end("drops.balance_too_high");
  const after = {
    ...person,
    movements: [...person.movements, movement],
    events: event === undefined ? person.events : [...person.events, event],
  };
  return { world: { ...world, people: world.people.with(index, after) }, outcome: movement.amount };
}

function withPack(world: World, index: number, pack: Pack): World {
  return { ...world, packs: world.packs.with(index, pack) };
}

/** @throws Error if there is nothing */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`There is no item ${index} among ${list.length}.`);
  return item;
}
