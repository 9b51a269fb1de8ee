import { beforeEach, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { deletionsOf, type Race } from "#tests/deletions";
import { useFileStore } from "#tests/file-store";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { CRON_SECRET, GAME, runGameJob } from "../../game/chain-scene.ts";
import { playDay } from "../../game/game-days.ts";
import { checkInsOf } from "../../game/photo-scene.ts";

/* An account is deleted while the game writes about it: neither fails, and the jobs go on with everyone else. */

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET, ...(await useFileStore()) } });
const { checkIn, photoAt, player } = checkInsOf(api);
const { race } = deletionsOf(api);
const DATE = "2026-11-18";
/** Where a check-in joins the battle, and where a review asks whether it is over. */
const BATTLE = `select private.lock_battle(private.week_start('${DATE}'))`;

const admin = beforeTests(() => api.person({ role: "admin" }));
const stays = beforeEachTest(() => api.person());
const goes = beforeEachTest(() => api.person());
beforeEach(() =>
  api.query(
    `truncate nectar.battles, nectar.mosaics, nectar.workout_checkins, nectar.workout_windows, nectar.chains,
       private.open_days, nectar.weekly_workout_stats, private.game_notices, nectar.notifications cascade`,
  ),
);

const job = (name: string) => () => runGameJob(api, name);
const notified = () => api.query`select user_id, type::text from nectar.notifications order by type::text`;
async function bothPlay(day: Partial<Parameters<typeof playDay>[1]> = {}) {
  for (const person of [stays, goes]) await playDay(api, { person, date: DATE, team: "red", ...day });
}

async function drawn() {
  const players = await api.query`select user_id from nectar.chains where date = ${DATE} order by user_id`;
  expect(await api.query`select user_id from nectar.mosaic_sections order by position`).toEqual(players);
}

/** The person who goes is next when the other one checks in. */
async function checkedIn() {
  api.at(`${DATE}T05:00:00Z`);
  const [ada, next] = [await player(12), await player(15)];
  const nextOfAda = () =>
    api.query`select after_user_id from nectar.chains where user_id = ${ada.id} and date = ${DATE}`;
  expect(await nextOfAda()).toEqual([{ after_user_id: next.id }]);
  api.at(`${DATE}T12:30:00Z`);
  const photo = await photoAt(`${DATE}T12:20:00Z`);
  const check = async () => expect(await nextOfAda()).toEqual([{ after_user_id: null }]);
  return { goes: next, request: () => checkIn(ada, photo), status: 201, check };
}

/** A check-in that breaks the chain of the person who is next is rejected. */
async function reviewed() {
  api.at(`${DATE}T15:00:00Z`);
  await playDay(api, { person: stays, date: DATE, team: "red", status: "verified", after: goes });
  await playDay(api, { person: goes, date: DATE, team: "red", status: "verified", chips: 2 });
  await api.query`update nectar.chains set before_user_id = ${stays.id} where user_id = ${goes.id}`;
  const { id } = await api.one`select id from nectar.workout_checkins where user_id = ${stays.id}`;
  const review = { status: "rejected", reason: "Nobody is in the photo." };
  return { request: () => api.put(`${GAME}/admin/checkins/${id}`, admin, review), status: 200 };
}

type Row = () => Promise<Omit<Race, "goes"> & Partial<Pick<Race, "goes">>>;

const ROWS: Readonly<Record<string, Row>> = {
  "the days of two players end": async () => {
    await bothPlay({ status: "verified" });
    api.at("2026-11-19T00:00:00Z");
    const check = async () => {
      expect(await notified()).toEqual([{ user_id: stays.id, type: "battle_progress" }]);
      expect((await job("end-of-day")()).body.results?.closed).toBe(0);
    };
    return { request: job("end-of-day"), status: 200, body: { results: { closed: 1 } }, check };
  },
  "the person is notified of a broken chain": async () => {
    await playDay(api, { person: stays, date: DATE, team: "red", after: goes });
    api.at("2026-11-19T00:00:00Z");
    // The next run ends the day of the previous player.
    const check = async () => {
      expect((await job("end-of-day")()).body.results).toMatchObject({ closed: 1, failed: 1, notified: 0 });
      expect(await notified()).toEqual([]);
    };
    const results = { closed: 0, failed: 0, notified: 0 };
    return { request: job("end-of-day"), status: 200, body: { results }, check };
  },
  "two players are reminded": async () => {
    await bothPlay();
    api.at(`${DATE}T11:45:00Z`);
    const check = async () => expect(await notified()).toEqual([{ user_id: stays.id, type: "checkin_reminder" }]);
    return { request: job("reminders"), status: 200, body: { results: { reminded: 1 } }, check };
  },
  "the weeks of two players are counted": async () => {
    await bothPlay({ date: "2026-11-10" });
    api.at("2026-11-16T01:00:00Z");
    const check = async () =>
      expect(await api.query`select user_id from nectar.weekly_workout_stats`).toEqual([{ user_id: stays.id }]);
    const results = { changed: 1, corrected: 0, errors: [] };
    return { request: job("weekly-stats"), status: 200, body: { results }, check };
  },
  "the mosaic of two players is drawn": async () => {
    api.at(`${DATE}T13:00:00Z`);
    await bothPlay();
    return { request: job("mosaics"), status: 200, body: { results: { queued: 1 } }, check: drawn };
  },
  "a mosaic is drawn again, with others in the positions of the two players": async () => {
    api.at(`${DATE}T13:00:00Z`);
    await bothPlay();
    await job("mosaics")();
    for (let n = 0; n < 4; n += 1) await playDay(api, { person: await api.person(), date: DATE, team: "blue" });
    return { request: job("mosaics"), status: 200, body: { results: { queued: 1 } }, check: drawn };
  },

  "the previous player checks in": async () => ({ ...(await checkedIn()), body: { nextUserNotified: false } }),
  "the previous player joins the battle": async () => {
    const row = await checkedIn();
    await api.query`select private.join_battle(${DATE})`;
    return { ...row, held: BATTLE };
  },
  "a check-in of the person is reviewed": async () => ({ ...(await reviewed()), goes: stays, status: 404 }),
  "a check-in of the previous player is reviewed": reviewed,
  "a check-in of the person is reviewed, which is first": async () => ({
    ...(await reviewed()),
    goes: stays,
    held: BATTLE,
  }),
  "a check-in of the previous player is reviewed, which is first": async () => ({
    ...(await reviewed()),
    held: BATTLE,
  }),
};

it.each(Object.entries(ROWS))("%s while the account is deleted", async (_, row) => {
  await race({ goes, ...(await row()) });
});
