import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { isOff } from "#functions/game/windows/dates";
import { readWindow } from "#functions/game/windows/windows";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { CRON_SECRET, GAME, gameOf, runGameJob } from "../chain-scene.ts";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: { ...(await useFileStore()), WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
const photos = checkInsOf(api);
const rest = (person: Person, weekdays: unknown) => api.put(`${GAME}/my-window/rest-days`, person, { weekdays });
/** A Wednesday. */
const FIRST = "2031-05-14";

describe("PUT /api/workout-window/my-window/rest-days", () => {
  beforeEach(() => api.query`delete from auth.users where id <> private.system_user_id()`);
  const ben = beforeEachTest(() => {
    api.at(`${FIRST}T03:00:00Z`);
    return game.player("Ulm", 9);
  });
  const restDaysOf = async (weekdays: number[]) => (await rest(ben, weekdays).ok()).window.rest_days;

  it("counts at once in the first two weeks, and later from eight days after the next date", async () => {
    expect((await api.get(`${GAME}/my-window`, ben)).body.window?.rest_days).toEqual({
      weekdays: [],
      effective_from: null,
      previous_weekdays: [],
    });
    expect(await restDaysOf([7, 6])).toEqual({ weekdays: [6, 7], effective_from: FIRST, previous_weekdays: [] });
    // The window of the 26th opens at 9; the 27th is the 13th day after the first.
    api.at("2031-05-26T09:00:00Z");
    const monday = { weekdays: [1], effective_from: "2031-05-27", previous_weekdays: [6, 7] };
    expect(await restDaysOf([1])).toEqual(monday);
    api.at("2031-05-27T09:00:00Z");
    const tuesday = { weekdays: [2], effective_from: "2031-06-05", previous_weekdays: [1] };
    expect(await restDaysOf([2])).toEqual(tuesday);
    const used = await api.query`select used from private.quota_uses where user_id = ${ben.id}`;
    expect(await restDaysOf([2])).toEqual(tuesday);
    expect(await api.query`select used from private.quota_uses where user_id = ${ben.id}`).toEqual(used);
    // Replaced before it counts.
    api.at("2031-06-04T08:00:00Z");
    expect(await restDaysOf([])).toEqual({ weekdays: [], effective_from: "2031-06-12", previous_weekdays: [1] });
  });

  it("is a date off: no chain, no reminder, no check-in", async () => {
    const eve = await game.player("Ulm", 12);
    const ada = await game.player("Ulm", 6);
    await restDaysOf([4]);
    const thursday = addDays(FIRST, 1);
    const links = (await game.rows(thursday)).map((row) => [row.user_id, row.before_user_id, row.after_user_id]);
    expect(links.toSorted()).toEqual(
      [
        [ada.id, null, eve.id],
        [eve.id, ada.id, null],
      ].toSorted(),
    );
    expect(await game.rows(FIRST)).toHaveLength(3);
    api.at(`${thursday}T08:45:00Z`);
    await runGameJob(api, "reminders");
    expect(
      await api.query`select from nectar.notifications where user_id = ${ben.id} and type = 'checkin_reminder'`,
    ).toEqual([]);
    api.at(`${thursday}T09:30:00Z`);
    await photos.checkIn(ben, await photos.photoAt(`${thursday}T09:20:00Z`)).refused(404, "game.no_window");
    expect(await api.get(`${GAME}/checkin/${thursday}`, ben).ok()).toEqual({ checkin: null, status: "not_started" });
  });

  it("is 404 without a window, and 400 for the same weekday twice", async () => {
    await rest(await api.person(), [7]).refused(404, "game.no_window");
    await rest(ben, [7, 7]).refused(400, "request.invalid");
  });
});

const DATES = Array.from({ length: 20 }, (_, day) => addDays(FIRST, day - 5));
const someDate = fc.constantFrom(...DATES);
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 2 });

it("lists in matching exactly who is not off, also by the rule of requests", async () => {
  api.at(`${DATES[0]}T00:00:00Z`);
  const people = await Promise.all(Array.from({ length: 10 }, () => game.player("Ulm", 9)));
  const player = fc.record({
    absence: fc.option(fc.tuple(someDate, fc.nat(5))),
    rules: fc.uniqueArray(fc.record({ from: someDate, weekdays }), { selector: ({ from }) => from, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(player, { minLength: people.length, maxLength: people.length }), async (players) => {
      for (const [index, { absence, rules }] of players.entries()) {
        const away = absence === null ? "{}" : `{[${absence[0]},${addDays(absence[0], absence[1] + 1)})}`;
        const ordered = rules.toSorted((one, other) => one.from.localeCompare(other.from));
        await api.query`update nectar.workout_windows set away = ${away}::datemultirange,
          rest_days = ${JSON.stringify(ordered)}::jsonb where user_id = ${people[index]?.id}`;
      }
      const windows = await Promise.all(
        people.map(({ id }) => api.database.asUser(id, (tx) => readWindow(tx, id, api.services.clock.now()))),
      );
      const playing = (date: string) =>
        windows.flatMap((window) => (window === null || isOff(window, date) ? [] : [window.user_id]));
      for (const date of DATES) {
        const listed = await api.query<{ user_id: string }>`select user_id from private.read_matching(${date}, null)
          where play_window is not null and user_id = any (${people.map(({ id }) => id)})`;
        expect(listed.map(({ user_id }) => user_id).toSorted()).toEqual(playing(date).toSorted());
      }
    }),
    { numRuns: LONG ? 50 : 3 },
  );
});
