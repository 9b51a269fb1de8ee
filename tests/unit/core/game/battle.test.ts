import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { badGuyPower, playBattle, robotPower, type Team } from "#core/game/battle";

const seedOf = (week: string) => createHash("sha256").update(week).digest();
/** A seed whose first bytes are chosen. */
const seed = (...bytes: number[]) => Uint8Array.from({ length: 32 }, (_, index) => bytes[index] ?? 0);

const someTeam = fc.record({
  chips: fc.integer({ min: 0, max: 5_000_000 }),
  members: fc.integer({ min: 0, max: 1_000_000 }),
});
const someSeed = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("the power of a robot", () => {
  // floor(chips * 10 + members * 5 + (chips / members) * 20), by hand.
  it.each([
    [0, 0, 0],
    [500, 0, 0],
    [0, 1, 5],
    [0, 10, 50],
    [1, 1, 35],
    [10, 3, 181],
    [7, 3, 131],
    [12, 4, 200],
    [1, 7, 47],
    [100, 30, 1216],
    [2, 3, 48],
    [333, 50, 3713],
  ])("of %i chips and %i members is %i", (chips, members, power) => {
    expect(robotPower({ chips, members })).toBe(power);
  });

  it("equals the specified formula in exact arithmetic", () => {
    fc.assert(
      fc.property(someTeam, (team) => {
        const [chips, m] = [BigInt(team.chips), BigInt(team.members)];
        const exact = m === 0n ? 0n : (chips * 10n * m + 5n * m * m + chips * 20n) / m;
        expect(BigInt(robotPower(team))).toBe(exact);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the bad guy", () => {
  it.each([
    [0, 0, 100],
    [100, 99, 100],
    [101, 100, 100],
    [101, 101, 101],
    [200, 101, 150],
    [1_000, 0, 500],
  ])("against %i and %i has %i", (red, blue, power) => {
    expect(badGuyPower(red, blue)).toBe(power);
  });
});

describe("a battle", () => {
  it("equals one computed by hand", () => {
    // Red: 120 + 20 + 60 = 200. Blue: 70 + 15 + 46 = 131. The bad guy: floor(331 / 2) = 165.
    const outcome = playBattle({ chips: 12, members: 4 }, { chips: 7, members: 3 }, seed(4, 0, 1, 2, 3));
    expect(outcome).toEqual({
      redRobotPower: 200,
      blueRobotPower: 131,
      badGuyPower: 165,
      rounds: [
        { round: 1, redDamage: 180, blueDamage: 117, badGuyDamage: 74 },
        { round: 2, redDamage: 200, blueDamage: 131, badGuyDamage: 82 },
        { round: 3, redDamage: 220, blueDamage: 144, badGuyDamage: 90 },
        { round: 4, redDamage: 180, blueDamage: 117, badGuyDamage: 74 },
      ],
      redDamage: 780,
      blueDamage: 509,
      winner: "red",
      finalOutcome: "The red team won, 780 damage to 509.",
    });
  });

  it.each([
    ["2026-11-02", 4],
    ["2026-11-09", 4],
    ["2026-11-16", 4],
    ["2026-11-23", 3],
    ["2026-11-30", 5],
  ])("of the week of %s has the rounds that follow from its seed", (week, rounds) => {
    expect(playBattle({ chips: 1, members: 1 }, { chips: 1, members: 1 }, seedOf(week)).rounds).toHaveLength(rounds);
  });

  it("without members is a tie", () => {
    const empty = { chips: 0, members: 0 };
    const outcome = playBattle(empty, empty, seed());
    expect(outcome).toMatchObject({ redRobotPower: 0, badGuyPower: 100, winner: "tie" });
    expect(outcome.finalOutcome).toBe("Both teams did 0 damage: a tie.");
  });

  it("is never lost by the team with more power, and a tie with equal power", () => {
    fc.assert(
      fc.property(someTeam, someTeam, someSeed, (red, blue, bytes) => {
        const outcome = playBattle(red, blue, bytes);
        const { redRobotPower, blueRobotPower, winner } = outcome;
        if (redRobotPower > blueRobotPower) expect(winner).not.toBe("blue");
        if (redRobotPower < blueRobotPower) expect(winner).not.toBe("red");
        if (redRobotPower === blueRobotPower) expect(winner).toBe("tie");
        expect(winner).toBe(
          outcome.redDamage === outcome.blueDamage ? "tie" : outcome.redDamage > outcome.blueDamage ? "red" : "blue",
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("treats both colors alike", () => {
    const mirrored = { red: "blue", blue: "red", tie: "tie" } as const;
    fc.assert(
      fc.property(someTeam, someTeam, someSeed, (one: Team, other: Team, bytes) => {
        const there = playBattle(one, other, bytes);
        const back = playBattle(other, one, bytes);
        expect(back.winner).toBe(mirrored[there.winner]);
        expect(back.rounds.map((round) => round.blueDamage)).toEqual(there.rounds.map((round) => round.redDamage));
        expect(there.rounds.length).toBeGreaterThanOrEqual(3);
        expect(there.rounds.length).toBeLessThanOrEqual(5);
      }),
    );
  });
});
