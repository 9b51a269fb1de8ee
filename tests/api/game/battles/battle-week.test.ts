import { describe, expect, it } from "vitest";
import type { Person } from "#tests/people";
import { checkIn, playDay } from "../game-days.ts";
import { battleScene, WEEK } from "./battle-scene.ts";

const { api, execute, history, people, play, readWeek } = battleScene();

describe("GET battle/week/:weekStartDate", () => {
  it("creates the battle of the current week once, when it is first read", async () => {
    const body = await readWeek().ok();
    expect(body.battle).toMatchObject({ week_start_date: WEEK, week_end_date: "2026-11-22" });
    expect(body.battle).toMatchObject({ battle_status: "in_progress", winner: null, battle_result: null });
    expect(body.redTeam).toEqual({ totalChips: 0, robotPower: 0, members: 0 });
    const days = [16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day}`);
    expect(body.dailyStats.map(({ date }) => date)).toEqual(days);
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await readWeek()).body.battle.id));
    expect(new Set([body.battle.id, ...ids]).size).toBe(1);
  });

  it("sums the verified check-ins of both teams while it runs", async () => {
    await play();
    const { body } = await readWeek();
    // Red: 5 chips and 2 people: 50 + 10 + 50. Blue: 4 chips and 1 person: 40 + 5 + 80.
    expect(body.redTeam).toEqual({ totalChips: 5, robotPower: 110, members: 2 });
    expect(body.blueTeam).toEqual({ totalChips: 4, robotPower: 125, members: 1 });
    expect(body.battle).toMatchObject({ red_team_chips: 5, blue_team_chips: 4, red_team_robot_power: 110 });
    expect(body.dailyStats.slice(0, 3)).toEqual([
      { date: "2026-11-16", redTeamChips: 3, blueTeamChips: 0 },
      { date: "2026-11-17", redTeamChips: 2, blueTeamChips: 4 },
      { date: "2026-11-18", redTeamChips: 0, blueTeamChips: 0 },
    ]);
  });

  it("keeps totals and daily chips of a completed battle when check-ins change or accounts are deleted", async () => {
    await play();
    await playDay(api, { person: people.ben, date: "2026-11-18", team: "red", status: "verified", chips: 1 });
    // Chips of the week before count here, on the Monday.
    await checkIn(api, { person: people.ben, date: WEEK, team: "red" });
    await api.query`update nectar.workout_checkins set date = '2026-11-15'
      where user_id = ${people.ben.id} and date = ${WEEK}`;
    const days = [
      { date: "2026-11-16", redTeamChips: 4, blueTeamChips: 0 },
      { date: "2026-11-17", redTeamChips: 2, blueTeamChips: 4 },
      { date: "2026-11-18", redTeamChips: 1, blueTeamChips: 0 },
    ];
    const seen = async () => {
      const { battle, redTeam, blueTeam, dailyStats } = (await readWeek(WEEK, people.admin)).body;
      expect(dailyStats).toHaveLength(7);
      return [battle.red_team_chips, redTeam.totalChips, blueTeam.totalChips, dailyStats.slice(0, 3)];
    };
    expect(await seen()).toEqual([7, 7, 4, days]);
    await execute();
    expect(await seen()).toEqual([7, 7, 4, days]);
    await api.query`update nectar.workout_checkins set status = 'rejected' where user_id = ${people.ada.id}`;
    await api.query`delete from auth.users where id = ${people.cleo.id}`;
    expect(await seen()).toEqual([7, 7, 4, days]);
  });

  it("is pending from Monday in the first time zone until a check-in or Monday in UTC", async () => {
    api.at("2026-11-22T09:59:59Z");
    await readWeek("2026-11-23").refused(400, "game.future_week");
    api.at("2026-11-22T10:00:00Z");
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("pending");
    await checkIn(api, { person: people.ada, date: "2026-11-23", team: "red" });
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("in_progress");
    await api.query`update nectar.battles set battle_status = 'pending'`;
    api.at("2026-11-23T00:00:00Z");
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("in_progress");
  });

  it.each([
    ["2026-11-17", 400, "game.not_a_monday"],
    ["2026-11-22", 400, "game.not_a_monday"],
    ["2026-11-23", 400, "game.future_week"],
    ["2026-11-09", 404, "game.no_battle"],
    ["1999-12-27", 404, "game.no_battle"],
  ] as const)("of %s is %i %s", async (week, status, code) => {
    await readWeek(week).refused(status, code);
  });
});

describe("GET battle/history", () => {
  it("lists completed battles newest first, with the caller's own results", async () => {
    await playDay(api, { person: people.ada, date: "2026-11-04", team: "red", status: "verified", chips: 4 });
    await playDay(api, { person: people.cleo, date: "2026-11-04", team: "blue", status: "verified", chips: 1 });
    await playDay(api, { person: people.ada, date: "2026-11-11", team: "blue", status: "verified", chips: 2 });
    await play();
    for (const week of ["2026-11-02", "2026-11-09", WEEK]) await execute(week);
    const all = (await history()).body;
    const weeks = all.battles.map(({ week_start_date }) => week_start_date);
    expect(weeks).toEqual([WEEK, "2026-11-09", "2026-11-02"]);
    // Ada's red won the first week and her blue the second; the third went to Cleo's blue.
    expect(all.userStats).toEqual({ totalChipsContributed: 11, battlesWon: 2, longestChain: 2 });
    const cleos = { totalChipsContributed: 5, battlesWon: 1, longestChain: 1 };
    expect((await history(people.cleo)).body.userStats).toEqual(cleos);
  });

  it("counts as won only weeks in which the caller has a verified check-in", async () => {
    await playDay(api, { person: people.ada, date: "2026-11-17", team: "red", status: "verified", chips: 4 });
    await playDay(api, { person: people.ben, date: "2026-11-17", team: "red", status: "rejected", chips: 1 });
    // A chip of the week before does not make Ben a player of this one.
    await playDay(api, { person: people.ben, date: "2026-11-15", team: "red", status: "verified", chips: 1 });
    await execute();
    const wins = async (person: Person) => (await history(person)).body.userStats.battlesWon;
    expect([await wins(people.ada), await wins(people.ben)]).toEqual([1, 0]);
  });

  it("is empty for a new user", async () => {
    const userStats = { totalChipsContributed: 0, battlesWon: 0, longestChain: 0 };
    expect((await history()).body).toEqual({ battles: [], userStats, nextCursor: null });
  });
});
