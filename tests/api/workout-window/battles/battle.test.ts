import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { checkIn, playDay } from "../game-days.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const CHIPS = [1, 2, 3, 4] as const;
const WEEK = "2026-11-16";
const scheduler = { "x-cron-secret": CRON_SECRET };
let ada: Person;
let ben: Person;
let cleo: Person;
let admin: Person;

beforeAll(async () => {
  admin = await api.person({ role: "admin" });
});
beforeEach(async () => {
  await api.query("truncate nectar.battles, nectar.workout_checkins, nectar.chains, nectar.team_colors cascade");
  await api.query("delete from nectar.notifications");
  [ada, ben, cleo] = [await api.person(), await api.person(), await api.person()];
  api.at("2026-11-18T20:00:00Z");
});

const readWeek = (week = WEEK, as = ada) => api.get(`${GAME}/battle/week/${week}`, as);
const execute = (week = WEEK, headers: Record<string, string> = scheduler, as?: Person) =>
  api.post(`${GAME}/battle/execute/${week}`, as, undefined, headers);
const sundayJob = () => api.post(`${GAME}/cron/battle`, undefined, undefined, scheduler);
const history = (as = ada, search = "") => api.get(`${GAME}/battle/history${search}`, as);
const told = () =>
  api.query(
    `select user_id, title, body, data from nectar.notifications where type = 'battle_results' order by created_at, user_id`,
  );

/** A battle as somebody works it out who has read nothing but the description of its seed in the reference. */
function workedOut(week: string, red: { chips: number; members: number }, blue: typeof red) {
  const hex = createHash("sha256").update(week).digest("hex");
  const byte = (place: number) => Number.parseInt(hex.slice(2 * place, 2 * place + 2), 16);
  const power = ({ chips, members }: typeof red) =>
    members === 0 ? 0n : (BigInt(chips) * (10n * BigInt(members) + 20n) + 5n * BigInt(members) ** 2n) / BigInt(members);
  const half = (power(red) + power(blue)) / 2n;
  const badGuy = half < 100n ? 100n : half;
  const rounds = [1, 2, 3, 4, 5].slice(0, 3 + (byte(0) % 3)).map((round) => {
    const tenths = BigInt(9 + (byte(round) % 3));
    return {
      round,
      redDamage: Number((power(red) * tenths) / 10n),
      blueDamage: Number((power(blue) * tenths) / 10n),
      badGuyDamage: Number((badGuy * tenths) / 20n),
    };
  });
  return {
    redRobotPower: Number(power(red)),
    blueRobotPower: Number(power(blue)),
    badGuyPower: Number(badGuy),
    rounds,
    seed: hex,
  };
}

/** Red has Ada and Ben with 5 chips, blue has Cleo with 4. */
async function play() {
  await playDay(api, { person: ada, date: "2026-11-16", team: "red", status: "verified", chips: 3 });
  await playDay(api, { person: ada, date: "2026-11-17", team: "red", status: "verified", chips: 2 });
  await playDay(api, { person: ben, date: "2026-11-17", team: "red", status: "rejected", chips: 4 });
  await playDay(api, { person: cleo, date: "2026-11-17", team: "blue", status: "verified", chips: 4 });
  await playDay(api, { person: cleo, date: "2026-11-18", team: "blue", status: "pending", chips: 4 });
}

describe("GET battle/week/:weekStartDate", () => {
  it("creates the battle of the current week once, when it is first read", async () => {
    const { status, body } = await readWeek();
    expect(status).toBe(200);
    expect(body.battle).toMatchObject({
      week_start_date: WEEK,
      week_end_date: "2026-11-22",
      battle_status: "in_progress",
      winner: null,
      battle_result: null,
    });
    expect(body.redTeam).toEqual({ totalChips: 0, robotPower: 0, members: 0 });
    expect(body.dailyStats.map((day: { date: string }) => day.date)).toEqual([
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
      "2026-11-22",
    ]);
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
    await playDay(api, { person: ben, date: "2026-11-18", team: "red", status: "verified", chips: 1 });
    // Somebody's chips of the week before count here, and keep their date.
    await checkIn(api, { person: ben, date: WEEK, team: "red" });
    await api.query("update nectar.workout_checkins set date = '2026-11-15' where user_id = $1 and date = $2", [
      ben.id,
      WEEK,
    ]);
    const days = [
      { date: "2026-11-15", redTeamChips: 1, blueTeamChips: 0 },
      { date: "2026-11-16", redTeamChips: 3, blueTeamChips: 0 },
      { date: "2026-11-17", redTeamChips: 2, blueTeamChips: 4 },
      { date: "2026-11-18", redTeamChips: 1, blueTeamChips: 0 },
    ];
    const seen = async () => {
      const { battle, redTeam, blueTeam, dailyStats } = (await readWeek(WEEK, admin)).body;
      expect(dailyStats).toHaveLength(8);
      return [battle.red_team_chips, redTeam.totalChips, blueTeam.totalChips, dailyStats.slice(0, 4)];
    };
    expect(await seen()).toEqual([7, 7, 4, days]);
    await execute();
    expect(await seen()).toEqual([7, 7, 4, days]);
    await api.query("update nectar.workout_checkins set status = 'rejected' where user_id = $1", [ada.id]);
    await api.query("delete from auth.users where id = $1", [cleo.id]);
    await api.query("select private.compact_chip_changes()");
    expect(await seen()).toEqual([7, 7, 4, days]);
  });

  it("is pending from Monday in the first time zone until a check-in or Monday in UTC", async () => {
    api.at("2026-11-22T09:59:59Z");
    expect((await readWeek("2026-11-23")).body.code).toBe("game.future_week");
    api.at("2026-11-22T10:00:00Z");
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("pending");
    await checkIn(api, { person: ada, date: "2026-11-23", team: "red" });
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("in_progress");
    await api.query("update nectar.battles set battle_status = 'pending'");
    api.at("2026-11-23T00:00:00Z");
    expect((await readWeek("2026-11-23")).body.battle.battle_status).toBe("in_progress");
  });

  it.each([
    ["2026-11-17", 400, "game.not_a_monday"],
    ["2026-11-22", 400, "game.not_a_monday"],
    ["2026-11-23", 400, "game.future_week"],
    ["2026-11-09", 404, "game.no_battle"],
    ["1999-12-27", 404, "game.no_battle"],
    ["2026-02-30", 400, "request.invalid"],
    ["today", 400, "request.invalid"],
  ])("of %s is %i %s", async (week, status, code) => {
    const answer = await readWeek(week);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe("POST battle/execute/:weekStartDate", () => {
  it("ends the battle with the result that anyone can recompute from the seed", async () => {
    await play();
    const { status, body } = await execute();
    expect(status).toBe(200);
    const { finalOutcome, ...numbers } = body.battleResult;
    expect(numbers).toMatchObject({ redRobotPower: 110, blueRobotPower: 125, badGuyPower: 117 });
    expect(numbers).toEqual(workedOut(WEEK, { chips: 5, members: 2 }, { chips: 4, members: 1 }));
    const damage = (color: "redDamage" | "blueDamage") =>
      numbers.rounds.reduce((sum: number, round: Record<typeof color, number>) => sum + round[color], 0);
    expect(finalOutcome).toBe(`The blue team won, ${damage("blueDamage")} damage to ${damage("redDamage")}.`);
    expect(body.winner).toBe("blue");
    expect(body.battle).toMatchObject({
      battle_status: "completed",
      winner: "blue",
      red_team_chips: 5,
      blue_team_chips: 4,
      red_team_robot_power: 110,
      blue_team_robot_power: 125,
    });
    expect(body.battle.battle_result).toEqual(body.battleResult);
    expect((await readWeek()).body.redTeam).toEqual({ totalChips: 5, robotPower: 110, members: 2 });
  });

  it("notifies each person of both teams once, with a title for their team, and no synthetic user", async () => {
    await play();
    await api.query("update nectar.profiles set is_ai = true where id = $1", [ben.id]);
    const { body } = await execute();
    const outcome = body.battleResult.finalOutcome;
    const mine = (person: Person, title: string, team_color: string) => ({
      user_id: person.id,
      title,
      body: outcome,
      data: { week_start_date: WEEK, winner: "blue", team_color },
    });
    expect(await told()).toEqual(
      [
        mine(ada, "The other team won the battle of the week", "red"),
        mine(cleo, "Your team won the battle of the week", "blue"),
      ].toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1)),
    );
  });

  it("returns the stored result of a completed battle without notifying again", async () => {
    await play();
    const first = await execute();
    await api.query("update nectar.workout_checkins set has_streak = not has_streak");
    const again = await Promise.all([execute(), execute(), execute()]);
    for (const { body } of again) expect(body).toEqual(first.body);
    expect(await told()).toHaveLength(3);
  });

  it("counts the chips of both years in a week that ends in another year", async () => {
    for (const [monday, before, after] of [
      ["2025-12-29", "2025-12-31", "2026-01-04"],
      ["2026-12-28", "2026-12-31", "2027-01-01"],
    ] as const) {
      await playDay(api, { person: ada, date: before, team: "red", status: "verified", chips: 3 });
      await playDay(api, { person: ada, date: after, team: "red", status: "verified", chips: 4 });
      api.at(`${after}T20:00:00Z`);
      const { body } = await readWeek(monday);
      expect(body.redTeam).toEqual({ totalChips: 7, robotPower: 70 + 5 + 140, members: 1 });
      expect(body.dailyStats.map(({ redTeamChips }: { redTeamChips: number }) => redTeamChips)).toEqual(
        body.dailyStats.map(({ date }: { date: string }) => (date === before ? 3 : date === after ? 4 : 0)),
      );
      const { finalOutcome: _, ...numbers } = (await execute(monday)).body.battleResult;
      expect(numbers).toEqual(workedOut(monday, { chips: 7, members: 1 }, { chips: 0, members: 0 }));
    }
    expect((await history()).body.userStats).toEqual({ totalChipsContributed: 14, battlesWon: 2, longestChain: 2 });
  });

  it("ends the battle once when many requests arrive at the same time", async () => {
    await play();
    const answers = await Promise.all(Array.from({ length: 16 }, () => execute()));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await told()).toHaveLength(3);
  });

  it("keeps the result if notifying fails, and the next request or job notifies each person once", async () => {
    await play();
    await api.query(`create function private.break_off() returns trigger language plpgsql as
      $$ begin raise exception 'broken off' using errcode = '57P01'; end $$`);
    await api.query(`create trigger break_off after insert on nectar.notifications
      for each statement execute function private.break_off()`);
    try {
      expect((await execute()).status).toBe(503);
      expect((await readWeek()).body.battle.winner).toBe("blue");
      expect(await told()).toEqual([]);
    } finally {
      await api.query("drop trigger break_off on nectar.notifications");
      await api.query("drop function private.break_off");
    }
    api.at("2026-11-18T20:02:00Z");
    const endOfDay = () => api.post(`${GAME}/cron/end-of-day`, undefined, undefined, scheduler);
    await Promise.all([execute(), endOfDay(), execute(), endOfDay()]);
    expect(await told()).toHaveLength(3);
    expect((await execute()).body.winner).toBe("blue");
    expect(await told()).toHaveLength(3);
  });

  it("is a tie if no one checked in", async () => {
    const { body } = await execute();
    expect(body).toMatchObject({ winner: "tie", battleResult: { redRobotPower: 0, badGuyPower: 100 } });
  });

  it.each([
    ["2026-11-17", 400, "game.not_a_monday"],
    ["2026-11-23", 400, "game.future_week"],
    ["2026-11-09", 404, "game.no_battle"],
    ["2026-13-01", 400, "request.invalid"],
  ])("of %s is %i %s", async (week, status, code) => {
    const answer = await execute(week);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it("allows only admins and the scheduler", async () => {
    expect((await execute(WEEK, {}, ada)).status).toBe(403);
    expect((await execute(WEEK, {})).status).toBe(401);
    expect((await execute(WEEK, { "x-cron-secret": "wrong" })).status).toBe(401);
    expect((await execute(WEEK, {}, admin)).status).toBe(200);
  });

  it("replays the response to an admin's Idempotency-Key", async () => {
    await play();
    const headers = { "idempotency-key": "once" };
    const first = await execute(WEEK, headers, admin);
    const again = await execute(WEEK, headers, admin);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("chips after the end", () => {
  it("count for the next battle", async () => {
    await play();
    await execute();
    await playDay(api, { person: ben, date: "2026-11-19", team: "red", status: "verified", chips: 3 });
    expect(
      await api.query(
        "select battle_week_start::text from nectar.workout_checkins where user_id = $1 and date = '2026-11-19'",
        [ben.id],
      ),
    ).toEqual([{ battle_week_start: "2026-11-23" }]);
    api.at("2026-11-23T08:00:00Z");
    const { body } = await readWeek("2026-11-23");
    expect(body.redTeam).toEqual({ totalChips: 3, robotPower: 30 + 5 + 60, members: 1 });
    expect(body.dailyStats).toHaveLength(8);
    expect(body.dailyStats[0]).toEqual({ date: "2026-11-19", redTeamChips: 3, blueTeamChips: 0 });
  });

  it("count for exactly one battle when check-ins, reviews and the end run at the same time", async () => {
    const statuses = ["verified", "pending", "rejected"] as const;
    const people = await Promise.all(Array.from({ length: 24 }, () => api.person()));
    for (const [place, person] of people.entries()) {
      const day = { person, date: "2026-11-17", team: place % 2 === 0 ? "red" : "blue" } as const;
      await playDay(api, { ...day, status: statuses[place % 3] ?? "pending", chips: CHIPS[place % 4] ?? 1 });
    }
    const ids: { id: string; status: string }[] = await api.query("select id, status from nectar.workout_checkins");
    const review = ({ id, status }: { id: string; status: string }) =>
      api.put(`${GAME}/admin/checkins/${id}`, admin, {
        status: status === "verified" ? "rejected" : "verified",
        reason: "Looked at again.",
      });
    const [ended, ...rest] = await Promise.all([
      execute(),
      ...ids.slice(0, 16).map(review),
      ...people.slice(0, 8).map((person) => checkIn(api, { person, date: "2026-11-18", team: "red", chips: 4 })),
      execute(),
    ]);
    expect(rest.every((answer) => answer === undefined || answer.status === 200)).toBe(true);
    api.at("2026-11-23T08:00:00Z");
    const next = (await readWeek("2026-11-23")).body.battle;
    // What was rejected after the end stays in the battle that it was counted in.
    const sums = await api.one<{ old: number; new: number }>(
      `select
         coalesce(sum(battle_chips_earned) filter (where battle_week_start = '2026-11-16'), 0)::integer as old,
         coalesce(sum(battle_chips_earned) filter (where battle_week_start = '2026-11-23'), 0)::integer as new
       from nectar.workout_checkins where status = 'verified'`,
    );
    expect(next.red_team_chips + next.blue_team_chips).toBe(sums.new);
    const counted = ended.body.battle.red_team_chips + ended.body.battle.blue_team_chips;
    const late = await api.one<{ chips: number }>(
      `select coalesce(sum((private.chip_breakdown('verified', k.chain_status, k.is_early, k.has_streak) ->> 'earned')::integer), 0)::integer as chips
       from nectar.workout_checkins k
       where k.status = 'rejected' and k.verified_at is not null and k.battle_week_start = '2026-11-16'`,
    );
    expect(counted).toBeGreaterThanOrEqual(sums.old);
    expect(counted).toBeLessThanOrEqual(sums.old + late.chips);
  });

  it("are not lost when check-ins arrive while the battle ends", async () => {
    await play();
    const people = await Promise.all(Array.from({ length: 12 }, () => api.person()));
    const [ended] = await Promise.all([
      execute(),
      ...people.map((person) => checkIn(api, { person, date: "2026-11-18", team: "red", chips: 1 })),
    ]);
    const sums = await api.one<{ this_week: number; next_week: number | null }>(
      `select sum(battle_chips_earned) filter (where battle_week_start = '2026-11-16')::integer as this_week,
         sum(battle_chips_earned) filter (where battle_week_start = '2026-11-23')::integer as next_week
       from nectar.workout_checkins where status = 'verified' and team_color = 'red'`,
    );
    expect(sums.this_week).toBe(ended.body.battle.red_team_chips);
    expect(sums.this_week + (sums.next_week ?? 0)).toBe(5 + people.length);
  });
});

describe("POST cron/battle", () => {
  it("ends the current week once on Sunday evening, also if it runs twice, in parallel or late", async () => {
    await play();
    api.at("2026-11-22T23:00:00Z");
    const answers = await Promise.all([sundayJob(), sundayJob(), sundayJob()]);
    expect(answers.every(({ status, body }) => status === 200 && body.success)).toBe(true);
    api.at("2026-11-23T00:30:00Z");
    expect((await sundayJob()).body.results).toEqual({ executed: 0, weeks: [] });
    expect(await api.query("select week_start_date::text, winner from nectar.battles")).toEqual([
      { week_start_date: WEEK, winner: "blue" },
    ]);
    expect(await told()).toHaveLength(3);
  });

  it("ends earlier weeks that have not ended", async () => {
    await playDay(api, { person: ada, date: "2026-11-09", team: "red", status: "verified" });
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

  it("allows only the scheduler", async () => {
    expect((await api.post(`${GAME}/cron/battle`, admin)).status).toBe(401);
    expect((await api.post(`${GAME}/cron/battle`, undefined)).status).toBe(401);
  });
});

describe("GET battle/history", () => {
  it("lists completed battles newest first, by pages, with the caller's own results", async () => {
    await playDay(api, { person: ada, date: "2026-11-04", team: "red", status: "verified", chips: 4 });
    await playDay(api, { person: cleo, date: "2026-11-04", team: "blue", status: "verified", chips: 1 });
    await playDay(api, { person: ada, date: "2026-11-11", team: "blue", status: "verified", chips: 2 });
    await play();
    for (const week of ["2026-11-02", "2026-11-09", WEEK]) await execute(week);
    const all = (await history()).body;
    expect(all.battles.map((battle: { week_start_date: string }) => battle.week_start_date)).toEqual([
      WEEK,
      "2026-11-09",
      "2026-11-02",
    ]);
    // Ada's red won the first week and her blue the second; the third went to Cleo's blue.
    expect(all.userStats).toEqual({ totalChipsContributed: 11, battlesWon: 2, longestChain: 2 });
    expect((await history(cleo)).body.userStats).toEqual({ totalChipsContributed: 5, battlesWon: 1, longestChain: 1 });
    expect(all.nextCursor).toBeNull();
    const first = (await history(ada, "?limit=2")).body;
    const second = (await history(ada, `?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.battles, ...second.battles]).toEqual(all.battles);
  });

  it("is empty for a new user, and refuses an invalid limit or cursor", async () => {
    expect((await history()).body).toEqual({
      battles: [],
      userStats: { totalChipsContributed: 0, battlesWon: 0, longestChain: 0 },
      nextCursor: null,
    });
    expect((await history(ada, "?limit=0")).status).toBe(400);
    expect((await history(ada, "?cursor=elsewhere")).status).toBe(400);
  });
});
