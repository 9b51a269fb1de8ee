import { expect, it } from "vitest";
import { verifyBattle } from "#client";
import { GAME } from "../chain-scene.ts";
import { battleScene, WEEK } from "./battle-scene.ts";

const { api, execute, people, play } = battleScene();
const proofOf = (week: string) => api.get(`${GAME}/battle/week/${week}/proof`, people.cleo);

it("proves a completed battle, also after a player was erased", async () => {
  await play();
  await proofOf(WEEK).refused(404, "game.no_battle");
  const { battleResult, winner } = await execute().ok();
  const { proof } = await proofOf(WEEK).ok();
  const { redRobotPower: red, blueRobotPower: blue, badGuyPower: badGuy, rounds, seed } = battleResult;
  expect(proof).toMatchObject({
    algorithm: "battle-1",
    weekStartDate: WEEK,
    seed,
    red: { chips: 5, members: 2 },
    blue: { chips: 4, members: 1 },
    result: { winner, powers: { red, blue, badGuy }, rounds },
  });
  expect(await verifyBattle(proof)).toBe(true);
  await api.query`delete from auth.users where id = ${people.ada.id}`;
  expect(await proofOf(WEEK).ok()).toEqual({ proof });
});

it("is 404 for a week without a battle, and 400 for a future week and for any day but a Monday", async () => {
  await proofOf("2026-11-09").refused(404, "game.no_battle");
  await proofOf("2026-11-23").refused(400, "game.future_week");
  await proofOf("2026-11-17").refused(400, "game.not_a_monday");
});
