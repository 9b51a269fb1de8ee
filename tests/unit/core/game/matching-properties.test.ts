import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AreaMatch, matchArea, type Player, type TeamColor } from "#core/game/matching";
import { windowInstants } from "#core/game/time";

const DATE = "2026-03-29";
/** Berlin puts its clocks forward on that date; the others are far apart, so that instants and wall clocks differ. */
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago"];
const RUNS = { numRuns: 400 };

const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** A window of the date in a random zone; half of them at few times, so that many are the same and many meet. */
const someWindow = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    start: fc.oneof(
      fc.integer({ min: 0, max: 1_439 }),
      fc.integer({ min: 0, max: 11 }).map((slot) => slot * 120),
    ),
  })
  .map(({ timezone, start }) => {
    const times = { timezone, start: time(start), end: time(start + 120) };
    const { startsAt, endsAt } = windowInstants(times, DATE);
    return { startsAt: startsAt.getTime(), endsAt: endsAt.getTime() };
  });

const newcomer = fc.record({
  window: someWindow,
  id: fc.uuid(),
  isSynthetic: fc.boolean(),
  leftOut: fc.boolean(),
});

const newcomers = (maxLength: number) =>
  fc.uniqueArray(newcomer, { selector: ({ id }) => id, maxLength }).map((some) =>
    some.map(
      ({ window, id, isSynthetic, leftOut }): Player => ({
        userId: id,
        isSynthetic,
        leftOut,
        ...window,
        color: null,
        matched: null,
        blocked: new Set(),
        fixed: false,
      }),
    ),
  );

const leading = fc.constantFrom<TeamColor>("red", "blue");
/** A moment of the date anywhere on earth. */
const moment = fc
  .integer({ min: -16 * 60, max: 50 * 60 })
  .map((minutes) => Date.parse(`${DATE}T00:00Z`) + minutes * 60_000);

/** The players as they are stored after a match, seen again at a moment. */
function stored(players: readonly Player[], match: AreaMatch, now: number): Player[] {
  const squads = new Map(
    match.squads.flatMap(({ id, members }) => members.map((member) => [member, id ?? `new ${members[0]}`] as const)),
  );
  return players.map((player) => ({
    ...player,
    color: match.colors.get(player.userId) ?? null,
    matched: {
      before: match.links.get(player.userId)?.before ?? null,
      after: match.links.get(player.userId)?.after ?? null,
      squadId: squads.get(player.userId) ?? null,
    },
    fixed: player.startsAt <= now,
  }));
}

/** An area with a history: matched once at a moment, and again at a later one with others who had come by then. */
const areaWithHistory = fc
  .record({ first: newcomers(24), later: newcomers(8), leading, moments: fc.tuple(moment, moment) })
  .map(({ first, later, leading: color, moments }) => {
    const now = Math.max(...moments);
    const before = stored(first, matchArea(first, color), Math.min(...moments));
    const present = new Set(first.map(({ userId }) => userId));
    const players = [...before, ...later.filter(({ userId }) => !present.has(userId))];
    const match = matchArea(players, color);
    return { players, match, leading: color, now, after: stored(players, match, now) };
  });

const someFates = fc.array(fc.record({ leaves: fc.boolean(), window: someWindow }));

const stateOf = ({ userId, color, matched }: Player) => ({ userId, color, ...matched });

describe("matching an area", () => {
  it("links both sides, no one to themselves, and only windows that follow each other", () => {
    fc.assert(
      fc.property(areaWithHistory, ({ players, match }) => {
        const byId = new Map(players.map((player) => [player.userId, player]));
        for (const [userId, { before, after }] of match.links) {
          const self = byId.get(userId);
          expect(before).not.toBe(userId);
          expect(after).not.toBe(userId);
          if (before !== null) {
            expect(match.links.get(before)?.after).toBe(userId);
            expect(byId.get(before)?.endsAt).toBeLessThanOrEqual(self?.startsAt ?? 0);
          }
          if (after !== null) {
            expect(match.links.get(after)?.before).toBe(userId);
            expect(byId.get(after)?.startsAt).toBeGreaterThanOrEqual(self?.endsAt ?? 0);
          }
        }
      }),
      RUNS,
    );
  });

  it("leaves no two players unlinked who would both prefer each other", () => {
    fc.assert(
      fc.property(areaWithHistory, ({ players, match }) => {
        const byId = new Map(players.map((player) => [player.userId, player]));
        for (const first of players) {
          for (const second of players) {
            if (first.fixed || second.fixed || first === second || first.endsAt > second.startsAt) continue;
            const next = byId.get(match.links.get(first.userId)?.after ?? "");
            const previous = byId.get(match.links.get(second.userId)?.before ?? "");
            // Nothing is closer than a link to a player whose window has opened: it stays.
            if (next?.fixed === true || previous?.fixed === true) continue;
            const firstGains =
              next === undefined ||
              second.startsAt < next.startsAt ||
              (second.startsAt === next.startsAt && second.userId < next.userId);
            const secondGains =
              previous === undefined ||
              first.endsAt > previous.endsAt ||
              (first.endsAt === previous.endsAt && first.userId < previous.userId);
            expect(firstGains && secondGains).toBe(false);
          }
        }
      }),
      RUNS,
    );
  });

  it("keeps the teams within one squad of each other, and every squad in one team", () => {
    fc.assert(
      fc.property(areaWithHistory, ({ players, match }) => {
        const reds = [...match.colors.values()].filter((color) => color === "red").length;
        expect(match.colors.size).toBe(players.length);
        expect(Math.abs(players.length - 2 * reds)).toBeLessThanOrEqual(3);
        const seen = new Set<string>();
        for (const { color, members } of match.squads) {
          expect(members).toHaveLength(3);
          for (const member of members) {
            expect(match.colors.get(member)).toBe(color);
            expect(seen.has(member)).toBe(false);
            seen.add(member);
          }
        }
      }),
      RUNS,
    );
  });

  it("leaves at most two players of a new area without a squad, people last", () => {
    fc.assert(
      fc.property(newcomers(24), leading, (players, color) => {
        const { squads } = matchArea(players, color);
        const placed = new Set(squads.flatMap(({ members }) => members));
        const alone = players.filter(({ userId }) => !placed.has(userId));
        expect(alone.length).toBe(players.length % 3);
        if (players.filter(({ isSynthetic }) => isSynthetic).length >= 2) {
          expect(alone.filter(({ isSynthetic }) => !isSynthetic)).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it("changes nothing when it runs again, at any time and in any order of players", () => {
    fc.assert(
      fc.property(areaWithHistory, fc.integer(), ({ players, match, after, leading: color, now }, seed) => {
        const again = after.toSorted((a, b) => ((a.startsAt ^ seed) % 7) - ((b.startsAt ^ seed) % 7));
        const second = stored(again, matchArea(again, color), now);
        const byId = (a: Player, b: Player) => (a.userId < b.userId ? -1 : 1);
        expect(second.toSorted(byId).map(stateOf)).toEqual(after.toSorted(byId).map(stateOf));
        expect(match.links.size).toBe(players.length);
      }),
      RUNS,
    );
  });

  it("does not move players whose window has opened when others come, and changes no one's team", () => {
    fc.assert(
      fc.property(areaWithHistory, newcomers(1), ({ after, leading: color, now }, [added]) => {
        fc.pre(added !== undefined);
        const players = [...after, ...(added === undefined ? [] : [added])];
        const later = new Map(stored(players, matchArea(players, color), now).map((player) => [player.userId, player]));
        for (const player of after) {
          expect(later.get(player.userId)?.color).toBe(player.color);
          if (player.fixed) expect(later.get(player.userId)?.matched).toEqual(player.matched);
        }
      }),
      RUNS,
    );
  });

  it("keeps links of players whose window has opened when others leave or change their windows", () => {
    fc.assert(
      fc.property(areaWithHistory, someFates, ({ after, leading: color }, fates) => {
        const moved = new Set<string>();
        const players = after.flatMap((player, index) => {
          const fate = fates[index];
          if (player.fixed || fate === undefined) return [player];
          moved.add(player.userId);
          return fate.leaves ? [] : [{ ...player, ...fate.window }];
        });
        const { links, squads } = matchArea(players, color);
        const squadOf = new Map(squads.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
        for (const { userId, fixed, matched } of players) {
          if (!fixed || matched === null) continue;
          expect(squadOf.get(userId) ?? null).toBe(matched.squadId);
          const { before, after: next } = links.get(userId) ?? {};
          if (matched.before === null || !moved.has(matched.before)) expect(before).toBe(matched.before);
          if (matched.after === null || !moved.has(matched.after)) expect(next).toBe(matched.after);
        }
      }),
      RUNS,
    );
  });
});
