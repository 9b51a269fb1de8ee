/** People and packs are indexes of the lists of the world; a purchase is known by its id in the script. */
export type Command =
  | { readonly kind: "sign up" }
  | { readonly kind: "award"; readonly person: number; readonly month: string }
  | { readonly kind: "adjust"; readonly person: number; readonly amount: number }
  | { readonly kind: "purchase"; readonly person: number; readonly price: number; readonly event: string }
  | { readonly kind: "buy pack"; readonly person: number; readonly pack: number; readonly expected: number | null }
  | { readonly kind: "refund"; readonly purchase: number | null }
  | { readonly kind: "change price"; readonly person: number; readonly pack: number; readonly price: number }
  | { readonly kind: "delete pack"; readonly person: number; readonly pack: number };

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

interface Person {
  readonly balance: number;
  readonly months: readonly string[];
}

interface Pack {
  readonly owner: number;
  readonly price: number;
  readonly isDeleted: boolean;
}

/** A payment for an event, or for a pack. */
interface Purchase {
  readonly id: number;
  readonly person: number;
  readonly price: number;
  readonly what: { readonly event: string } | { readonly pack: number };
  readonly isRefunded: boolean;
}

/** Everyone's ledger and the packs as they should be: plain arithmetic, no database. */
export interface World {
  readonly people: readonly Person[];
  readonly packs: readonly Pack[];
  readonly purchases: readonly Purchase[];
}

export interface Visible {
  readonly balances: readonly number[];
  /** The packs of each person that they have bought and not given back. */
  readonly bought: readonly (readonly number[])[];
  readonly packs: readonly { readonly price: number; readonly isDeleted: boolean; readonly hasImages: boolean }[];
}

/** The world afterwards, and drops moved, a word, or the error code that refuses the command. */
export interface Result {
  readonly world: World;
  readonly outcome: number | string;
}

const NEWCOMER: Person = { balance: 50, months: [] };

/** Two people, and packs at these prices whose owners take turns. */
export function startingWith(prices: readonly number[]): World {
  return {
    people: [NEWCOMER, NEWCOMER],
    packs: prices.map((price, index) => ({ owner: index % 2, price, isDeleted: false })),
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
    case "award":
    case "adjust":
    case "purchase":
      return { ...draft, person: person(draft.person) };
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
      return { kind: draft.kind, pack, person: draft.by === "its owner" ? owner : person(owner + 1) };
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
    case "award": {
      const { person, month } = command;
      const before = at(world.people, person);
      if (before.months.includes(month)) return end("nothing");
      const people = world.people.with(person, { ...before, months: [...before.months, month] });
      return moved({ ...world, people }, person, 30);
    }
    case "adjust":
      return moved(world, command.person, command.amount);
    case "purchase": {
      const { person, price, event } = command;
      const isBooked = world.purchases.some(
        (one) => one.person === person && "event" in one.what && one.what.event === event,
      );
      return isBooked ? end("nothing") : paid(world, { id, person, price, what: { event }, isRefunded: false });
    }
    case "buy pack": {
      const { person, pack, expected } = command;
      const { owner, price, isDeleted } = at(world.packs, pack);
      if (boughtBy(world, person).includes(pack)) return end("tone_pack.already_purchased");
      if (isDeleted) return end("tone_pack.not_found");
      if (owner === person) return end("tone_pack.own_pack");
      if (expected !== null && expected !== price) return end("tone_pack.price_changed");
      return paid(world, { id, person, price, what: { pack }, isRefunded: false });
    }
    case "refund": {
      const index = world.purchases.findIndex((one) => one.id === command.purchase);
      if (index === -1) return end("drops.transaction_not_found");
      const purchase = at(world.purchases, index);
      if (purchase.isRefunded) return end("drops.already_refunded");
      const purchases = world.purchases.with(index, { ...purchase, isRefunded: true });
      return moved({ ...world, purchases }, purchase.person, purchase.price);
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

/** The state of a world that readers see; the images of a deleted pack stay as long as it has a buyer. */
export function lookAt(world: World): Visible {
  const bought = world.people.map((_, person) => boughtBy(world, person));
  return {
    balances: world.people.map(({ balance }) => balance),
    bought,
    packs: world.packs.map(({ price, isDeleted }, pack) => ({
      price,
      isDeleted,
      hasImages: !isDeleted || bought.some((packs) => packs.includes(pack)),
    })),
  };
}

/** The packs that a person is shown: on offer, which their own are too, or bought. */
export function shownTo(world: World, person: number): number[] {
  const bought = boughtBy(world, person);
  return [...world.packs.keys()].filter((pack) => !at(world.packs, pack).isDeleted || bought.includes(pack));
}

function boughtBy(world: World, person: number): number[] {
  return world.purchases
    .flatMap((one) => (one.person === person && !one.isRefunded && "pack" in one.what ? [one.what.pack] : []))
    .sort((one, other) => one - other);
}

function paid(world: World, purchase: Purchase): Result {
  const after = moved(world, purchase.person, 0 - purchase.price);
  if (typeof after.outcome === "string") return after;
  return { ...after, world: { ...after.world, purchases: [...world.purchases, purchase] } };
}

/** Moves drops; no balance goes below zero. */
function moved(world: World, person: number, amount: number): Result {
  const before = at(world.people, person);
  const balance = before.balance + amount;
  if (balance < 0) return { world, outcome: "drops.insufficient_balance" };
  return { world: { ...world, people: world.people.with(person, { ...before, balance }) }, outcome: amount };
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
