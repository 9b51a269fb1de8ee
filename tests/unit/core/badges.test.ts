import { badgeProgress } from "@nectar/core/badges";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SPROUT = { level: 2, name: "Sprout", min_engagement_increases: 6 };
const BLOOM = { level: 3, name: "Bloom", min_engagement_increases: 21 };

describe("progress towards the next badge", () => {
  it.each([
    [0, 0, SPROUT, 0, 6],
    [1, 0, SPROUT, 16, 5],
    [5, 0, SPROUT, 83, 1],
    [6, 6, BLOOM, 0, 15],
    [20, 6, BLOOM, 93, 1],
    // The level was kept although the count fell.
    [3, 6, BLOOM, 0, 18],
    // Another minimum of the next level is missing.
    [30, 6, BLOOM, 100, 0],
  ])("%i successes from %i on", (current, minimum, next, percent, remaining) => {
    expect(badgeProgress(current, minimum, next)).toEqual({
      current,
      required: next.min_engagement_increases,
      remaining,
      percent,
      next_level: next.level,
      next_name: next.name,
    });
  });

  it("is complete at the top", () => {
    expect(badgeProgress(1501, 1501, null)).toEqual({
      current: 1501,
      required: null,
      remaining: null,
      percent: 100,
      next_level: null,
      next_name: null,
    });
  });

  it("is a whole percentage that never falls while successes come", () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_000), fc.nat(2_000), (current, minimum, way) => {
        const next = { ...BLOOM, min_engagement_increases: minimum + way };
        const { percent } = badgeProgress(current, minimum, next);
        expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
        expect(badgeProgress(current + 1, minimum, next).percent).toBeGreaterThanOrEqual(percent);
      }),
    );
  });
});
