import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { deletionsOf } from "#tests/deletions";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { CRON_SECRET, GAME, runGameJob } from "./chain-scene.ts";
import { playDay } from "./game-days.ts";
import { checkInsOf } from "./photo-scene.ts";

/*
 * Auth deletes an account while the game's jobs write of it: neither may fail for the other's sake, and the jobs go on with
 * everyone else.
 */

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET, ...(await useFileStore()) } });
const scene = checkInsOf(api);
const { deletedAfter, deletedDuring } = deletionsOf(api);
const DATE = "2026-11-18";
const LOCK_BATTLE = `select private.lock_battle(private.week_start('${DATE}'))`;
const job = (name: string) => runGameJob(api, name);

beforeEach(() =>
  api.query(
    `truncate nectar.battles, nectar.mosaics, nectar.workout_checkins, nectar.chains, private.open_days, nectar.weekly_workout_stats,
       private.game_notices, nectar.notifications cascade`,
  ),
);
const stays = beforeEachTest(() => api.person());
const goes = beforeEachTest(() => api.person());

const sent = () => api.query`select user_id, type::text from nectar.notifications order by type::text`;

describe("an account that is deleted while", () => {
  it("its day ends is deleted, and the days of others end", async () => {
    for (const person of [stays, goes]) await playDay(api, { person, date: DATE, team: "red", status: "verified" });
    api.at("2026-11-19T00:00:00Z");
    const { status, body } = await deletedDuring(goes, () => job("end-of-day"));
    expect([status, body.results?.closed]).toEqual([200, 1]);
    expect(await sent()).toEqual([{ user_id: stays.id, type: "battle_progress" }]);
    expect((await job("end-of-day")).body.results?.closed).toBe(0);
  });

  it("it is being notified of a broken chain is deleted, and the next run ends the day of the previous player", async () => {
    await playDay(api, { person: stays, date: DATE, team: "red", after: goes });
    api.at("2026-11-19T00:00:00Z");
    const { status, body } = await deletedDuring(goes, () => job("end-of-day"));
    expect([status, body.results]).toMatchObject([200, { closed: 0, failed: 0, notified: 0 }]);
    expect((await job("end-of-day")).body.results).toMatchObject({ closed: 1, failed: 1, notified: 0 });
    expect(await sent()).toEqual([]);
  });

  it("it is being reminded is deleted, and others are reminded", async () => {
    for (const person of [stays, goes]) await playDay(api, { person, date: DATE, team: "red" });
    api.at(`${DATE}T11:45:00Z`);
    const { status, body } = await deletedDuring(goes, () => job("reminders"));
    expect([status, body.results]).toEqual([200, { reminded: 1 }]);
    expect(await sent()).toEqual([{ user_id: stays.id, type: "checkin_reminder" }]);
  });

  it("its week is counted is deleted, and the weeks of others are counted", async () => {
    for (const person of [stays, goes]) await playDay(api, { person, date: "2026-11-10", team: "red" });
    api.at("2026-11-16T01:00:00Z");
    const { status, body } = await deletedDuring(goes, () => job("weekly-stats"));
    expect([status, body.results]).toEqual([200, { changed: 1, corrected: 0, errors: [] }]);
    expect(await api.query`select user_id from nectar.weekly_workout_stats`).toEqual([{ user_id: stays.id }]);
  });

  it.each(["first", "again"])(
    "its mosaic is drawn (%s) is deleted, and the others are in the mosaic",
    async (which) => {
      api.at(`${DATE}T13:00:00Z`);
      for (const person of [stays, goes]) await playDay(api, { person, date: DATE, team: "red" });
      if (which === "again") {
        await job("mosaics");
        // A new player moves others to other positions: their rows are written again.
        for (let n = 0; n < 4; n += 1) await playDay(api, { person: await api.person(), date: DATE, team: "blue" });
      }
      const { status, body } = await deletedDuring(goes, () => job("mosaics"));
      expect([status, body.results]).toEqual([200, { queued: 1 }]);
      const expected = await api.query`select user_id from nectar.chains where date = ${DATE} order by user_id`;
      expect(await api.query`select user_id from nectar.mosaic_sections order by position`).toEqual(expected);
    },
  );
});

describe("the account of the next player that is deleted during a check-in", () => {
  let ada: Person;
  let next: Person;
  const checkIn = async () => scene.checkIn(ada, await scene.photoAt(`${DATE}T12:20:00Z`));
  const nextOfAda = () =>
    api.query`select after_user_id from nectar.chains where user_id = ${ada.id} and date = ${DATE}`;

  beforeEach(async () => {
    await api.query`delete from nectar.workout_windows`;
    api.at(`${DATE}T05:00:00Z`);
    [ada, next] = [await scene.player(12), await scene.player(15)];
    expect(await nextOfAda()).toEqual([{ after_user_id: next.id }]);
    api.at(`${DATE}T12:30:00Z`);
  });

  it("is not notified if the deletion was first", async () => {
    const { status, body } = await deletedDuring(next, checkIn);
    expect([status, body.nextUserNotified]).toEqual([201, false]);
    expect(await nextOfAda()).toEqual([{ after_user_id: null }]);
  });

  it("is deleted after the check-in if that was first", async () => {
    await api.query`select private.join_battle(${DATE})`;
    // The check-in stands where it joins the battle.
    const { answer: response, isDeleted } = await deletedAfter(next, { text: LOCK_BATTLE }, checkIn);
    expect([response.status, isDeleted]).toEqual([201, true]);
    expect(await nextOfAda()).toEqual([{ after_user_id: null }]);
  });
});

describe("an account that is deleted while a check-in is reviewed", () => {
  let admin: Person;
  let id: string;
  const reject = () =>
    api.put(`${GAME}/admin/checkins/${id}`, admin, { status: "rejected", reason: "Nobody is in the photo." });

  beforeEach(async () => {
    admin = await api.person({ role: "admin" });
    api.at(`${DATE}T15:00:00Z`);
    await playDay(api, { person: stays, date: DATE, team: "red", status: "verified", after: goes });
    await playDay(api, { person: goes, date: DATE, team: "red", status: "verified", chips: 2 });
    await api.query`update nectar.chains set before_user_id = ${stays.id} where user_id = ${goes.id}`;
    ({ id } = await api.one`select id from nectar.workout_checkins where user_id = ${stays.id}`);
  });

  it.each([
    ["the owner", "the deletion", () => stays, 404],
    ["the next person", "the deletion", () => goes, 200],
    ["the owner", "the review", () => stays, 200],
    ["the next person", "the review", () => goes, 200],
  ] as const)("%s: both succeed if %s is first", async (_, first, person, expected) => {
    if (first === "the deletion") {
      expect((await deletedDuring(person(), reject)).status).toBe(expected);
    } else {
      // The review stands where it asks whether its battle is over.
      const { answer: response, isDeleted } = await deletedAfter(person(), { text: LOCK_BATTLE }, reject);
      expect([response.status, isDeleted]).toEqual([expected, true]);
    }
    expect(await api.query`select user_id from nectar.workout_checkins where user_id = ${person().id}`).toEqual([]);
  });
});

describe("a date that fails", () => {
  it("does not keep the others from being drawn, and is drawn by the next run", async () => {
    const drawn = async () =>
      (await api.query`select date::text from nectar.mosaics order by date`).map(({ date }) => date);
    const dates = ["2026-11-17", DATE, "2026-11-19"];
    for (const date of dates) await playDay(api, { person: stays, date, team: "red" });
    await api.query(`create function private.refuse_date() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = 'P0001'; end $$`);
    await api.query`create trigger refuse_date before insert on nectar.mosaics
      for each row when (new.date = '2026-11-17') execute function private.refuse_date()`;
    api.at(`${DATE}T11:00:00Z`);
    try {
      await job("mosaics");
      expect(await drawn()).toEqual([DATE, "2026-11-19"]);
    } finally {
      await api.query`drop trigger refuse_date on nectar.mosaics`;
      await api.query`drop function private.refuse_date`;
    }
    await job("mosaics");
    expect(await drawn()).toEqual(dates);
  });
});
