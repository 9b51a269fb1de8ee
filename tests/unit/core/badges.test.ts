import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BADGE_LADDER, badgeOfLevel, badgeProgress } from "#core/people/badges";

describe("the badge ladder", () => {
  it("starts with a level for everyone, and each level requires more successes than the one before", () => {
    expect(BADGE_LADDER.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const minima = BADGE_LADDER.map((level) => level.min_engagement_increases);
    expect(minima[0]).toBe(0);
    expect(minima).toEqual([...new Set(minima)].toSorted((a, b) => a - b));
  });

  it("has no other levels", () => {
    expect(() => badgeOfLevel(8)).toThrow("no level 8");
  });
});

describe("progress towards the next badge", () => {
  it.each([
    { current: 0, level: 1, percent: 0, required: 6, remaining: 6 },
    { current: 1, level: 1, percent: 16, required: 6, remaining: 5 },
    { current: 5, level: 1, percent: 83, required: 6, remaining: 1 },
    { current: 6, level: 2, percent: 0, required: 21, remaining: 15 },
    { current: 20, level: 2, percent: 93, required: 21, remaining: 1 },
    // A level is kept even if the count falls.
    { current: 3, level: 2, percent: 0, required: 21, remaining: 18 },
    // Another minimum of the next level is missing.
    { current: 30, level: 2, percent: 100, required: 21, remaining: 0 },
  ])("$current successes at level $level", ({ current, level, ...progress }) => {
    const next = badgeOfLevel(level + 1);
    expect(badgeProgress(current, level)).toEqual({
      current,
      ...progress,
      next_level: next.level,
      next_name: next.name,
    });
  });

  it("is complete at the highest level", () => {
    expect(badgeProgress(1501, 7)).toEqual({
      current: 1501,
      required: null,
      remaining: null,
      percent: 100,
      next_level: null,
      next_name: null,
    });
  });

  it("is a whole percentage that never falls with more successes", () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.integer({ min: 1, max: 7 }), (current, level) => {
        const { percent } = badgeProgress(current, level);
        expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
        expect(badgeProgress(current + 1, level).percent).toBeGreaterThanOrEqual(percent);
      }),
    );
  });
});
