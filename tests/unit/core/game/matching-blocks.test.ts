import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AreaMatch, matchArea, type Player } from "#core/game/matching";

const HOUR = 60 * 60 * 1_000;
const RUNS = { numRuns: 400 };
/** A block of one player by another, by their indexes. */
type Block = readonly [number, number];

function player(index: number, hour: number, more: Partial<Player> = {}): Player {
  return {
    userId: `p${String(index).padStart(3, "0")}`,
    isSynthetic: false,
    startsAt: hour * HOUR,
    endsAt: (hour + 2) * HOUR,
    color: null,
    leftOut: false,
    matched: null,
    fixed: false,
    blocked: new Set(),
    ...more,
  };
}

/** Players of a new area. @param synthetic whether some of them are synthetic users */
const someArea = (sizes: { min: number; max: number }, synthetic: boolean) =>
  fc
    .array(
      fc.record({
        hour: fc.integer({ min: 0, max: 22 }),
        leftOut: fc.boolean(),
        isSynthetic: synthetic ? fc.boolean() : fc.constant(false),
      }),
      { minLength: sizes.min, maxLength: sizes.max },
    )
    .map((some) => some.map(({ hour, ...rest }, index) => player(index, hour, rest)));

const someBlocks = (maxLength: number) =>
  fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength }).map((pairs): Block[] => pairs);

/** The players with blocks between some of them; each block is known to one side. */
function withBlocks(players: readonly Player[], blocks: readonly Block[]): Player[] {
  const blocked = players.map(({ userId }) => ({ userId, others: new Set<string>() }));
  for (const [one, other] of blocks) {
    const [by, of] = [blocked[one % players.length], blocked[other % players.length]];
    if (by !== undefined && of !== undefined && by !== of) by.others.add(of.userId);
  }
  return players.map((each, index) => ({ ...each, blocked: blocked[index]?.others ?? new Set() }));
}

/** The pairs with a block between them, written in one order. */
const pairsOf = (players: readonly Player[]) =>
  new Set(players.flatMap(({ userId, blocked }) => [...blocked].map((other) => pairOf(userId, other))));
const pairOf = (one: string, other: string) => [one, other].sort().join(" ");

/** The pairs who are neighbors, and those in one squad. */
function togetherIn({ links, squads }: AreaMatch) {
  const neighbors = [...links].flatMap(([userId, { after }]) => (after === null ? [] : [pairOf(userId, after)]));
  const mates = squads.flatMap(({ members }) =>
    members.flatMap((one, index) => members.slice(index + 1).map((other) => pairOf(one, other))),
  );
  return { neighbors, mates };
}

/** The players without a squad. */
function unplacedIn(players: readonly Player[], { squads }: AreaMatch): string[] {
  const placed = new Set(squads.flatMap(({ members }) => members));
  return players.map(({ userId }) => userId).filter((userId) => !placed.has(userId));
}

/** The players as they are stored after a match. */
function stored(players: readonly Player[], match: AreaMatch): Player[] {
  const squadOf = new Map(
    match.squads.flatMap(({ id, members }) => members.map((member) => [member, id ?? `S${members[0]}`] as const)),
  );
  return players.map((each) => ({
    ...each,
    color: match.colors.get(each.userId) ?? null,
    matched: {
      before: match.links.get(each.userId)?.before ?? null,
      after: match.links.get(each.userId)?.after ?? null,
      squadId: squadOf.get(each.userId) ?? null,
    },
  }));
}

describe("two people with a block between them", () => {
  it("are neither neighbors nor in one squad, and everyone keeps a place in the chain and a team", () => {
    fc.assert(
      fc.property(someArea({ min: 0, max: 30 }, true), someBlocks(60), (area, blocks) => {
        const players = withBlocks(area, blocks);
        const match = matchArea(players, "red");
        const { neighbors, mates } = togetherIn(match);
        const apart = pairsOf(players);
        expect([...neighbors, ...mates].filter((pair) => apart.has(pair))).toEqual([]);
        expect(new Set(match.links.keys())).toEqual(new Set(area.map(({ userId }) => userId)));
        expect(match.colors).toEqual(matchArea(area, "red").colors);
        const placed = match.squads.flatMap(({ members }) => members);
        expect(new Set(placed).size).toBe(placed.length);
        expect(match.squads.every(({ members }) => members.length === 3)).toBe(true);
      }),
      RUNS,
    );
  });

  it("are separated when a block is made later, unless a window of the squad or of one of the two has opened", () => {
    fc.assert(
      fc.property(
        someArea({ min: 2, max: 30 }, true),
        someBlocks(30),
        fc.integer({ min: -1, max: 23 }),
        (area, blocks, now) => {
          const before = matchArea(area, "red");
          const players = withBlocks(stored(area, before), blocks).map((each) => ({
            ...each,
            fixed: each.startsAt <= now * HOUR,
          }));
          const { neighbors, mates } = togetherIn(matchArea(players, "red"));
          const started = new Set(players.flatMap(({ userId, fixed }) => (fixed ? [userId] : [])));
          const startedSquads = before.squads.filter(({ members }) => members.some((member) => started.has(member)));
          const final = {
            neighbors: togetherIn(before).neighbors.filter((pair) => pair.split(" ").some((id) => started.has(id))),
            mates: togetherIn({ ...before, squads: startedSquads }).mates,
          };
          for (const pair of pairsOf(players)) {
            expect(neighbors.includes(pair)).toBe(final.neighbors.includes(pair));
            expect(mates.includes(pair)).toBe(final.mates.includes(pair));
          }
        },
      ),
      RUNS,
    );
  });

  it("leave a few without a squad if blocks are few, who all have one on the next day", () => {
    fc.assert(
      fc.property(
        someArea({ min: 60, max: 90 }, false),
        // A ring of blocks, so that each has one on either side, among people whose windows are next to each other too.
        fc.integer({ min: 1, max: 50 }),
        (area, step) => {
          const players = withBlocks(
            area,
            area.map((_, index): Block => [index, index + step]),
          );
          const today = matchArea(players, "red");
          const waiting = unplacedIn(players, today);
          // Of seven people with two blocks each, three always fit.
          for (const color of ["red", "blue"]) {
            expect(waiting.filter((userId) => today.colors.get(userId) === color).length).toBeLessThanOrEqual(6);
          }
          const tomorrow = players.map((each) => ({
            ...each,
            color: today.colors.get(each.userId) ?? null,
            leftOut: waiting.includes(each.userId),
          }));
          const again = unplacedIn(tomorrow, matchArea(tomorrow, "red"));
          expect(again.filter((userId) => waiting.includes(userId))).toEqual([]);
        },
      ),
      RUNS,
    );
  });
});

describe("matching with blocks", () => {
  it("leaves no two players unlinked who have no block and would both prefer each other", () => {
    fc.assert(
      fc.property(someArea({ min: 0, max: 25 }, false), someBlocks(40), (area, blocks) => {
        const players = withBlocks(area, blocks);
        const { links } = matchArea(players, "red");
        const byId = new Map(players.map((each) => [each.userId, each]));
        const apart = pairsOf(players);
        for (const first of players) {
          for (const second of players) {
            if (first === second || first.endsAt > second.startsAt) continue;
            if (apart.has(pairOf(first.userId, second.userId))) continue;
            const next = byId.get(links.get(first.userId)?.after ?? "");
            const previous = byId.get(links.get(second.userId)?.before ?? "");
            const firstGains = next === undefined || second.startsAt < next.startsAt;
            const secondGains = previous === undefined || first.endsAt > previous.endsAt;
            expect(firstGains && secondGains).toBe(false);
          }
        }
      }),
      RUNS,
    );
  });

  it("changes nothing when it runs again", () => {
    fc.assert(
      fc.property(someArea({ min: 0, max: 30 }, true), someBlocks(60), (area, blocks) => {
        const after = stored(withBlocks(area, blocks), matchArea(withBlocks(area, blocks), "red"));
        const again = stored(after, matchArea(after, "red"));
        expect(again.map(({ matched }) => matched)).toEqual(after.map(({ matched }) => matched));
      }),
      RUNS,
    );
  });

  it("forms squads in turn without blocks, and blocks of people elsewhere change nothing", () => {
    fc.assert(
      fc.property(someArea({ min: 0, max: 30 }, true), (area) => {
        const match = matchArea(area, "red");
        const inTurn = (a: Player, b: Player) =>
          Number(a.isSynthetic) - Number(b.isSynthetic) ||
          Number(b.leftOut) - Number(a.leftOut) ||
          a.startsAt - b.startsAt ||
          (a.userId < b.userId ? -1 : 1);
        const squads = (["red", "blue"] as const).flatMap((color) => {
          const team = area.filter(({ userId }) => match.colors.get(userId) === color).sort(inTurn);
          return Array.from({ length: Math.floor(team.length / 3) }, (_, index) => ({
            id: null,
            color,
            members: team.slice(3 * index, 3 * index + 3).map(({ userId }) => userId),
          }));
        });
        expect(match.squads).toEqual(squads);
        expect(
          matchArea(
            area.map((each) => ({ ...each, blocked: new Set(["elsewhere"]) })),
            "red",
          ),
        ).toEqual(match);
      }),
      RUNS,
    );
  });
});
