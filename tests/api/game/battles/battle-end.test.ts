import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { playBattle, type Team } from "#core/game/battle";
import { call } from "#database/call";
import type { Person } from "#tests/people";
import { GAME } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";
import { battleScene, SCHEDULER, WEEK } from "./battle-scene.ts";

const { api, execute, history, people, play, readWeek, sent, sundayJob } = battleScene();

/** The result of a battle by the pure rules, with the seed of its week. */
function played(week: string, red: Team, blue: Team) {
  const seed = createHash("sha256").update(week).digest();
  const { winner, redDamage, blueDamage, ...result } = playBattle(red, blue, seed);
  return { ...result, seed: seed.toString("hex") };
}

describe("POST battle/execute/:weekStartDate", () => {
  it("ends the battle with the result that anyone can recompute from the seed", async () => {
    await play();
    const body = await execute().ok();
    expect(body.battleResult).toMatchObject({ redRobotPower: 110, blueRobotPower: 125, badGuyPower: 117 });
    expect(body.battleResult).toEqual(played(WEEK, { chips: 5, members: 2 }, { chips: 4, members: 1 }));
    expect(body.winner).toBe("blue");
    expect(body.battle).toMatchObject({ battle_status: "completed", winner: "blue" });
    expect(body.battle).toMatchObject({ red_team_chips: 5, blue_team_chips: 4 });
    expect(body.battle).toMatchObject({ red_team_robot_power: 110, blue_team_robot_power: 125 });
    expect(body.battle.battle_result).toEqual(body.battleResult);
    expect((await readWeek()).body.redTeam).toEqual({ totalChips: 5, robotPower: 110, members: 2 });
  });

  it("notifies each person of both teams once, with a title for their team, and no synthetic user", async () => {
    await play();
    await api.query`update nectar.profiles set is_ai = true where id = ${people.ben.id}`;
    const { body } = await execute();
    const { finalOutcome, rounds } = body.battleResult;
    const red_damage = rounds.reduce((sum, { redDamage }) => sum + redDamage, 0);
    const blue_damage = rounds.reduce((sum, { blueDamage }) => sum + blueDamage, 0);
    const mine = (person: Person, title: string, team_color: string) => {
      const data = { week_start_date: WEEK, winner: "blue", red_damage, blue_damage, team_color };
      return { user_id: person.id, title, body: finalOutcome, data };
    };
    const expected = [
      mine(people.ada, "The other team won the battle of the week", "red"),
      mine(people.cleo, "Your team won the battle of the week", "blue"),
    ];
    expect(await sent()).toEqual(expected.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1)));
  });

  it("returns the stored result of a completed battle without notifying again", async () => {
    await play();
    const first = await execute();
    await api.query`update nectar.workout_checkins set has_streak = not has_streak`;
    const again = await Promise.all([execute(), execute(), execute()]);
    for (const { body } of again) expect(body).toEqual(first.body);
    expect(await sent()).toHaveLength(3);
  });

  it("counts the chips of both years in a week that ends in another year", async () => {
    for (const [monday, before, after] of [
      ["2025-12-29", "2025-12-31", "2026-01-04"],
      ["2026-12-28", "2026-12-31", "2027-01-01"],
    ] as const) {
      await playDay(api, { person: people.ada, date: before, team: "red", status: "verified", chips: 3 });
      await playDay(api, { person: people.ada, date: after, team: "red", status: "verified", chips: 4 });
      api.at(`${after}T20:00:00Z`);
      const { body } = await readWeek(monday);
      expect(body.redTeam).toEqual({ totalChips: 7, robotPower: 70 + 5 + 140, members: 1 });
      for (const { date, redTeamChips } of body.dailyStats) {
        expect(redTeamChips, date).toBe(date === before ? 3 : date === after ? 4 : 0);
      }
      const { battleResult } = await execute(monday).ok();
      expect(battleResult).toEqual(played(monday, { chips: 7, members: 1 }, { chips: 0, members: 0 }));
    }
    expect((await history()).body.userStats).toEqual({ totalChipsContributed: 14, battlesWon: 2, longestChain: 2 });
  });

  it("ends the battle once when many requests arrive at the same time", async () => {
    await play();
    const responses = await Promise.all(Array.from({ length: 16 }, () => execute()));
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await sent()).toHaveLength(3);
  });

  it("keeps the result if the database is asked to end the battle again", async () => {
    await play();
    const { battle } = await execute().ok();
    const [totals] = await api.query<object>`select * from private.battle_totals(${WEEK})`;
    const result = { ...totals, red_power: 1, blue_power: 0, winner: "red", battle_result: battle.battle_result };
    const again = { week: WEEK, moment: "2026-11-18T21:00:00Z", result };
    expect(await api.database.asService((tx) => call(tx, "end_battle", again))).toEqual([]);
    expect((await execute().ok()).battle).toEqual(battle);
    expect(await sent()).toHaveLength(3);
  });

  it("keeps the result if notifying fails, and the next request or job notifies each person once", async () => {
    await play();
    await api.query(`
      create function private.break_off() returns trigger language plpgsql as
        $$ begin raise exception 'broken off' using errcode = '57P01'; end $$;
      create trigger break_off after insert on nectar.notifications
        for each statement execute function private.break_off()`);
    try {
      await execute().refused(503);
      expect((await readWeek()).body.battle.winner).toBe("blue");
      expect(await sent()).toEqual([]);
    } finally {
      await api.query`drop function private.break_off cascade`;
    }
    api.at("2026-11-18T20:02:00Z");
    const endOfDay = () => api.post(`${GAME}/cron/end-of-day`, undefined, undefined, SCHEDULER);
    await Promise.all([execute(), endOfDay(), execute(), endOfDay()]);
    expect(await sent()).toHaveLength(3);
    expect((await execute()).body.winner).toBe("blue");
    expect(await sent()).toHaveLength(3);
  });

  it("is a tie if no one checked in", async () => {
    const { body } = await execute();
    expect(body).toMatchObject({ winner: "tie", battleResult: { redRobotPower: 0, badGuyPower: 100 } });
  });

  it("notifies both teams of a tie", async () => {
    await playDay(api, { person: people.ada, date: "2026-11-16", team: "red" });
    await playDay(api, { person: people.cleo, date: "2026-11-16", team: "blue" });
    const { battleResult } = (await execute()).body;
    const tie = { title: "The battle of the week is a tie", body: battleResult.finalOutcome };
    expect(await sent()).toMatchObject([tie, tie]);
  });

  it.each([
    ["2026-11-17", 400, "game.not_a_monday"],
    ["2026-11-23", 400, "game.future_week"],
    ["2026-11-09", 404, "game.no_battle"],
    ["2026-13-01", 400, "request.invalid"],
  ] as const)("of %s is %i %s", async (week, status, code) => {
    await execute(week).refused(status, code);
  });
});

describe("POST cron/battle", () => {
  it("ends the current week once on Sunday evening, also if it runs twice, in parallel or late", async () => {
    await play();
    api.at("2026-11-22T23:00:00Z");
    const responses = await Promise.all([sundayJob(), sundayJob(), sundayJob()]);
    expect(responses.every(({ status, body }) => status === 200 && body.success)).toBe(true);
    api.at("2026-11-23T00:30:00Z");
    expect((await sundayJob()).body.results).toEqual({ executed: 0, weeks: [] });
    const battles = await api.query`select week_start_date::text, winner from nectar.battles`;
    expect(battles).toEqual([{ week_start_date: WEEK, winner: "blue" }]);
    expect(await sent()).toHaveLength(3);
  });

  it("ends earlier weeks that have not ended", async () => {
    await playDay(api, { person: people.ada, date: "2026-11-09", team: "red", status: "verified" });
    await play();
    api.at("2026-11-22T23:00:00Z");
    expect((await sundayJob()).body.results).toEqual({ executed: 2, weeks: ["2026-11-09", WEEK] });
  });

  it("ends a week that was read before it began and that no one played, also if the job runs late", async () => {
    api.at("2026-11-15T22:00:00Z");
    expect((await readWeek()).body.battle.battle_status).toBe("pending");
    api.at("2026-11-23T00:10:00Z");
    expect((await sundayJob()).body.results).toEqual({ executed: 1, weeks: [WEEK] });
    expect((await readWeek()).body.battle).toMatchObject({ battle_status: "completed", winner: "tie" });
  });
});
