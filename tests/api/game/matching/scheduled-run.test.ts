import { beforeAll, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { type ChainRow, GAME } from "../chain-scene.ts";
import { matchingScene } from "./matching-scene.ts";

const { api, game, rowOf, synthetic, unmatched, unmatchedPlayer } = matchingScene();

describe("the scheduled run", () => {
  const DATE = "2031-06-04";
  const of = (rows: readonly ChainRow[], ids: readonly string[]) => rows.filter(({ user_id }) => ids.includes(user_id));

  it("matches all players for today and tomorrow, or for the given date", async () => {
    api.at("2031-06-01T00:00:00Z");
    const ids = await unmatched("Gera", 7);
    const body = await game.cron().ok();
    expect(body).toMatchObject({ success: true, message: "done", today: "2031-06-01", tomorrow: "2031-06-02" });
    for (const date of [body.today, body.tomorrow]) expect(of(await game.rows(date), ids)).toHaveLength(7);
    expect(of(await game.rows("2031-06-03"), ids)).toHaveLength(0);
    expect((await game.cron({ date: "2031-06-03" })).body.results?.chainsCreated).toBeGreaterThanOrEqual(7);
    expect(of(await game.rows("2031-06-03"), ids)).toHaveLength(7);
    for (const date of ["2031-05-30", "2031-06-09", "2031-02-30"]) {
      expect((await game.cron({ date })).status, date).toBe(400);
    }
  });

  it("changes nothing and notifies no one when it runs again", async () => {
    api.at(`${DATE}T00:00:00Z`);
    const ids = await unmatched("Suhl", 8);
    const first = await game.cron({ date: DATE });
    expect(first.body.results?.chainsCreated).toBeGreaterThanOrEqual(8);
    const rows = await game.rows(DATE);
    const stored = await api.query`select xmin, * from nectar.chains order by id`;
    const nothing = { chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 };
    expect((await game.cron({ date: DATE })).body.results).toEqual(nothing);
    expect(await game.rows(DATE)).toEqual(rows);
    // The rows were not even written again.
    expect(await api.query`select xmin, * from nectar.chains order by id`).toEqual(stored);
    const sent = await api.query`select user_id, count(*)::int as n from nectar.notifications
      where user_id = any (${ids}) group by 1`;
    expect(sent.map(({ n }) => n)).toEqual(sent.map(() => 1));
    const inCompany = ({ before_user_id, after_user_id, squad_id }: ChainRow) =>
      (before_user_id ?? after_user_id ?? squad_id) !== null;
    expect(sent.length).toBe(of(rows, ids).filter(inCompany).length);
  });

  it("has one result when it runs many times in parallel, also for two dates of a week", async () => {
    api.at("2031-06-05T00:00:00Z");
    const ids = await unmatched("Cottbus", 9);
    const dates = ["2031-06-05", "2031-06-06", "2031-06-06"];
    const runs = [game.cron(), game.cron(), ...dates.map((date) => game.cron({ date }))];
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [thursday, friday] = [of(await game.rows("2031-06-05"), ids), of(await game.rows("2031-06-06"), ids)];
    expect([thursday.length, friday.length]).toEqual([9, 9]);
    const colors = (rows: readonly ChainRow[]) => rows.map(({ user_id, team_color }) => [user_id, team_color]);
    expect(colors(friday)).toEqual(colors(thursday));
    expect((await game.cron()).body.results).toEqual({ chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 });
  });

  it("leaves nothing behind when it is killed, and the next run does all", async () => {
    api.at("2031-06-10T00:00:00Z");
    const ids = await unmatched("Plauen", 6);
    await api.inTransaction(async ({ query }) => {
      // Another transaction is about to write a team: the run has written its squads when the kill comes.
      await query`insert into nectar.team_colors (user_id, week_start_date, color)
        values (${ids[3]}, '2031-06-09', 'red')`;
      const run = game.cron({ date: "2031-06-10" });
      await api.untilWaiting();
      await api.cutConnections();
      await run.refused(503);
    });
    expect(await game.rows("2031-06-10")).toEqual([]);
    expect(await api.query`select from nectar.squads where date = '2031-06-10'`).toEqual([]);
    expect((await game.cron({ date: "2031-06-10" })).body.results?.chainsCreated).toBeGreaterThanOrEqual(6);
    expect(of(await game.rows("2031-06-10"), ids)).toHaveLength(6);
  });

  it("removes players who do not play any more, and squads that are no longer full", async () => {
    api.at("2031-06-11T20:00:00Z");
    const [ai] = await synthetic("Zwickau", 1);
    const ids = await unmatched("Zwickau", 3);
    await game.cron({ date: "2031-06-12" });
    await api.query`update nectar.workout_windows set away = '{(,)}' where user_id = any (${[ids[0], ai]})`;
    await game.cron({ date: "2031-06-12" });
    const left = of(await game.rows("2031-06-12"), [...ids, ai ?? ""]);
    expect(left.map(({ user_id }) => user_id).toSorted()).toEqual([ids[1], ids[2]].toSorted());
    expect(left.map(({ squad_id }) => squad_id)).toEqual([null, null]);
    const squads = await api.query`select from nectar.squads s
      where date = '2031-06-12' and ${ids[1]} in (user_1_id, user_2_id, user_3_id)`;
    expect(squads).toEqual([]);
  });

  it("succeeds when accounts are deleted during and after the run", async () => {
    api.at("2031-06-13T00:00:00Z");
    const ids = await unmatched("Halle", 3);
    await game.cron({ date: "2031-06-13" });
    await api.query`delete from auth.users where id = ${ids[1]}`;
    const left = of(await game.rows("2031-06-13"), ids);
    expect(left).toHaveLength(2);
    for (const row of left) expect([row.before_user_id, row.after_user_id]).not.toContain(ids[1]);
    await api.query`delete from auth.users where id = any (${[ids[0], ids[2]]})`;
    const empty = await api.query`select from nectar.squads where num_nonnulls(user_1_id, user_2_id, user_3_id) = 0`;
    expect(empty).toEqual([]);
  });
});

describe("POST /api/workout-window/generate-chains", () => {
  beforeAll(() => api.at("2031-07-01T12:00:00Z"));
  const ada = beforeTests(() => game.player("Riesa", 6, "Pacific/Kiritimati"));
  const generate = (body?: object, as = ada) => api.post(`${GAME}/generate-chains`, as, body);

  it("matches today in the caller's time zone by default", async () => {
    const nothing = { chainsCreated: 0, squadsCreated: 0, message: "The chains were there already." };
    expect(await generate().ok()).toEqual({ success: true, date: "2031-07-02", ...nothing });
  });

  it("accepts today and tomorrow, in UTC and in the caller's time zone", async () => {
    for (const date of ["2031-07-01", "2031-07-02", "2031-07-03"]) await generate({ date }).ok();
    for (const date of ["2031-06-30", "2031-07-04"]) await generate({ date }).refused(400, "game.date_not_playable");
    await generate({ date: "2031-02-30" }).refused(400, "request.invalid");
  });

  it("may be asked for 20 times an hour", async () => {
    const ben = await game.player("Riesa", 6);
    await leaveQuota(api.adminUrl, ben, "chain_generation", 1);
    await generate({}, ben).ok();
    await generate({}, ben).refused(429, "quota.exhausted");
  });

  it("matches the caller's own area only, and nothing without a window", async () => {
    const id = await unmatchedPlayer("Riesa", 9, { timezone: "Pacific/Kiritimati" });
    const elsewhere = await game.player("Pirna", 9);
    await api.query`delete from nectar.chains where user_id = ${elsewhere.id}`;
    const created = { message: "The chains were generated.", chainsCreated: 1 };
    expect(await generate({ date: "2031-07-03" }).ok()).toMatchObject(created);
    expect((await rowOf("2031-07-03", ada))?.after_user_id).toBe(id);
    expect(await rowOf("2031-07-03", elsewhere)).toBeUndefined();
    const unknown = await api.person();
    expect((await generate({}, unknown)).body).toMatchObject({ date: "2031-07-01", chainsCreated: 0 });
  });
});
