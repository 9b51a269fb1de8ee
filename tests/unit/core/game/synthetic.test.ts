import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENUMS } from "#core/enums.generated";
import {
  drawnCheckIn,
  SYNTHETIC_DEFAULTS,
  SYNTHETIC_REGIONS,
  SYNTHETIC_WINDOWS,
  type SyntheticTurn,
} from "#core/game/synthetic";
import { drawSyntheticPeople, largestRemainder, type SyntheticPerson } from "#core/game/synthetic-people";

function tally<Key extends string>(people: readonly SyntheticPerson[], key: (person: SyntheticPerson) => Key) {
  return Object.fromEntries([...Map.groupBy(people, key)].map(([name, group]) => [name, group.length]));
}

describe("shares", () => {
  it.each([
    // By hand: 7 of 25, 30, 20, 15 and 10 per cent are 1.75, 2.1, 1.4, 1.05 and 0.7.
    [7, [2, 2, 1, 1, 1]],
    [1, [0, 1, 0, 0, 0]],
    [10, [3, 3, 2, 1, 1]],
    [20, [5, 6, 4, 3, 2]],
    [1000, [250, 300, 200, 150, 100]],
  ])("of the default regions for %i people are %j", (count, expected) => {
    const dealt = largestRemainder(count, SYNTHETIC_REGIONS, SYNTHETIC_DEFAULTS.regions);
    expect(SYNTHETIC_REGIONS.map((region) => dealt.get(region))).toEqual(expected);
  });

  it("sum to the count, each less than one away from its exact share", () => {
    const names = ["a", "b", "c", "d", "e"] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
        (count, weights) => {
          const whole = weights.reduce((sum, weight) => sum + weight, 0);
          fc.pre(whole > 0.01);
          const shares = Object.fromEntries(names.map((name, index) => [name, weights[index]]));
          const dealt = largestRemainder(count, names, shares);
          expect([...dealt.values()].reduce((sum, given) => sum + given, 0)).toBe(count);
          for (const [index, name] of names.entries()) {
            const due = (count * (weights[index] ?? 0)) / whole;
            // The shares are counted in billionths.
            expect(Math.abs((dealt.get(name) ?? -1) - due)).toBeLessThan(1 + 1e-3);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("give a tie to the first name", () => {
    expect([...largestRemainder(2, ["a", "b", "c"], { c: 1 / 3, b: 1 / 3, a: 1 / 3 })]).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 0],
    ]);
  });

  it("of nothing are refused", () => {
    expect(() => largestRemainder(1, ["a"], {})).toThrow(RangeError);
  });
});

describe("drawn users", () => {
  it("have the default shares exactly for any count", () => {
    for (const count of [1, 2, 3, 7, 60, 99, 333, 999, 1000]) {
      const people = drawSyntheticPeople(count, SYNTHETIC_DEFAULTS, `seed ${count}`);
      const expected = <Name extends string>(dealt: Map<Name, number>) =>
        Object.fromEntries([...dealt].filter(([, given]) => given > 0));
      expect(people).toHaveLength(count);
      expect(tally(people, ({ region }) => region)).toEqual(
        expected(largestRemainder(count, SYNTHETIC_REGIONS, SYNTHETIC_DEFAULTS.regions)),
      );
      expect(tally(people, ({ activity_type }) => activity_type)).toEqual(
        expected(largestRemainder(count, ENUMS.activity_type, SYNTHETIC_DEFAULTS.activities)),
      );
      const windows = largestRemainder(count, SYNTHETIC_WINDOWS, SYNTHETIC_DEFAULTS.windows);
      const starts = ["06:00", "08:00", "12:00", "14:00", "16:00", "18:00"];
      const dealt = tally(people, ({ window_start }) => window_start);
      expect(starts.map((start) => dealt[start] ?? 0)).toEqual(SYNTHETIC_WINDOWS.map((name) => windows.get(name)));
    }
  });

  it("are determined by the seed", () => {
    const drawn = (seed: string) => drawSyntheticPeople(50, SYNTHETIC_DEFAULTS, seed);
    expect(drawn("a")).toEqual(drawn("a"));
    expect(drawn("b")).not.toEqual(drawn("a"));
    // Fixed: a stored seed must draw the same people next year.
    expect(drawn("nectar").slice(0, 2)).toMatchInlineSnapshot(`
      [
        {
          "activity_type": "strength",
          "check_in_probability": 0.85,
          "city": "Houston",
          "custom_activity": null,
          "full_name": "Zoe Davis",
          "latitude": 29.777688,
          "longitude": -95.368874,
          "region": "South",
          "state": "TX",
          "timezone": "America/Chicago",
          "window_end": "18:00",
          "window_start": "16:00",
        },
        {
          "activity_type": "homework",
          "check_in_probability": 0.85,
          "city": "New York",
          "custom_activity": null,
          "full_name": "Victor Morgan",
          "latitude": 40.714638,
          "longitude": -73.964801,
          "region": "East Coast",
          "state": "NY",
          "timezone": "America/New_York",
          "window_end": "14:00",
          "window_start": "12:00",
        },
      ]
    `);
  });

  it("have unique names, two hours, a real time zone, and coordinates near their city", () => {
    const people = drawSyntheticPeople(1000, SYNTHETIC_DEFAULTS, "possible");
    expect(new Set(people.map(({ full_name }) => full_name)).size).toBe(1000);
    const zones = new Set(Intl.supportedValuesOf("timeZone"));
    for (const person of people) {
      const hours = (time: string) => Number(time.slice(0, 2));
      expect(hours(person.window_end) - hours(person.window_start)).toBe(2);
      expect(zones.has(person.timezone) || person.timezone === "America/Indiana/Indianapolis").toBe(true);
      expect(person.state).toMatch(/^[A-Z]{2}$/);
      expect(person.latitude).toBeGreaterThan(24);
      expect(person.latitude).toBeLessThan(50);
      expect(person.longitude).toBeGreaterThan(-125);
      expect(person.longitude).toBeLessThan(-66);
      expect(person.custom_activity !== null).toBe(person.activity_type === "other");
    }
    expect(new Set(people.map(({ city }) => city)).size).toBe(25);
  });

  it("all have the value whose share is 1", () => {
    const people = drawSyntheticPeople(
      30,
      { regions: { South: 1 }, activities: { walk: 1 }, windows: { "6-8pm": 1 }, checkInProbability: 0.5 },
      "one",
    );
    for (const person of people) {
      expect(person).toMatchObject({
        region: "South",
        activity_type: "walk",
        window_start: "18:00",
        window_end: "20:00",
        check_in_probability: 0.5,
      });
    }
  });
});

describe("the drawn check-in", () => {
  const turn = (changes: Partial<SyntheticTurn> = {}): SyntheticTurn => ({
    userId: "6f1e0c39-6ad5-4d0e-9b57-0a1c2d3e4f50",
    date: "2026-11-21",
    probability: 0.85,
    startsAt: new Date("2026-11-21T14:00:00Z"),
    endsAt: new Date("2026-11-21T16:00:00Z"),
    ...changes,
  });

  it("is determined by user and date, and lies inside the window", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 3_000 }), (userId, day) => {
        const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
        const moment = drawnCheckIn(turn({ userId, date, probability: 1 }));
        expect(drawnCheckIn(turn({ userId, date, probability: 1 }))).toEqual(moment);
        expect(moment?.getTime()).toBeGreaterThanOrEqual(Date.parse("2026-11-21T14:00:00Z"));
        expect(moment?.getTime()).toBeLessThan(Date.parse("2026-11-21T16:00:00Z"));
        const half = drawnCheckIn(turn({ userId, date, probability: 0.5 }));
        expect(half === null || half.getTime() === moment?.getTime()).toBe(true);
      }),
    );
  });

  it("never exists at 0, always at 1, and at 0.85 on that share of days, evenly over the window", () => {
    const days = Array.from({ length: 20_000 }, (_, day) =>
      new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const drawn = (probability: number) => days.map((date) => drawnCheckIn(turn({ date, probability })));
    expect(drawn(0).every((moment) => moment === null)).toBe(true);
    expect(drawn(1).every((moment) => moment !== null)).toBe(true);
    const moments = drawn(0.85).filter((moment) => moment !== null);
    // Four standard deviations of 20,000 draws.
    expect(Math.abs(moments.length / days.length - 0.85)).toBeLessThan(0.0101);
    const early = moments.filter((moment) => moment < new Date("2026-11-21T14:30:00Z"));
    expect(Math.abs(early.length / moments.length - 0.25)).toBeLessThan(0.0133);
  });
});
