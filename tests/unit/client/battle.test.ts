import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { verifyBattle } from "#client";
import { playBattle } from "#core/game/battle";
import { addDays } from "#core/time/calendar-date";

const sha256 = (text: string) => createHash("sha256").update(text).digest();

function proofOf(week: string, red: Team, blue: Team) {
  const { redRobotPower, blueRobotPower, badGuyPower, rounds, winner } = playBattle(red, blue, sha256(week));
  const seed = sha256(week).toString("hex");
  const facts = `{"algorithm":"battle-1","blue":${json(blue)},"red":${json(red)},"seed":"${seed}","weekStartDate":"${week}"}`;
  const powers = { badGuy: badGuyPower, red: redRobotPower, blue: blueRobotPower };
  const digest = sha256(facts).toString("hex");
  return {
    algorithm: "battle-1" as const,
    weekStartDate: week,
    seed,
    red,
    blue,
    result: { winner, powers, rounds },
    digest,
  };
}

interface Team {
  readonly chips: number;
  readonly members: number;
}
const json = ({ chips, members }: Team) => `{"chips":${chips},"members":${members}}`;
const team = fc.record({ chips: fc.nat(100_000), members: fc.nat(20_000) });

it("agrees with the service for a thousand weeks, and with nothing that was changed", async () => {
  const teams = fc.sample(fc.tuple(team, team), { numRuns: 1_000, seed: 1 });
  for (const [index, [red, blue]] of teams.entries()) {
    const proof = proofOf(addDays("2026-01-05", 7 * index), red, blue);
    expect(await verifyBattle(proof)).toBe(true);
    const { result } = proof;
    const [round, ...others] = result.rounds;
    const changed = [
      { ...proof, weekStartDate: addDays(proof.weekStartDate, 7) },
      { ...proof, seed: proof.digest },
      { ...proof, digest: proof.seed },
      { ...proof, red: { ...red, chips: red.chips + 1 } },
      { ...proof, blue: { ...blue, members: blue.members + 1 } },
      { ...proof, result: { ...result, winner: result.winner === "red" ? ("blue" as const) : ("red" as const) } },
      { ...proof, result: { ...result, powers: { ...result.powers, badGuy: 0 } } },
      { ...proof, result: { ...result, rounds: round === undefined ? [] : [...others, round] } },
    ];
    expect(await Promise.all(changed.map(verifyBattle))).toEqual(changed.map(() => false));
  }
});

it("is false for what is no proof", async () => {
  const tuesday = proofOf("2026-01-06", { chips: 1, members: 1 }, { chips: 1, members: 1 });
  const negative = proofOf("2026-01-05", { chips: -1, members: 1 }, { chips: 1, members: 1 });
  expect([await verifyBattle(tuesday), await verifyBattle(negative)]).toEqual([false, false]);
  const values: unknown[] = [
    null,
    undefined,
    1,
    "proof",
    {},
    [],
    { ...tuesday, result: null },
    { ...tuesday, red: null },
  ];
  for (const value of values) expect(await Reflect.apply(verifyBattle, undefined, [value])).toBe(false);
});
