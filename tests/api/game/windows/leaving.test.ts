import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { datesOpenForUpload } from "#core/game/check-in";
import { windowInstants } from "#core/game/time";
import { addDays } from "#core/time/calendar-date";
import { startCheckIn } from "#functions/game/check-ins/receive";
import { effectiveWindow, hasLeft } from "#functions/game/windows/dates";
import { readWindow, setActive, setWindow } from "#functions/game/windows/windows";
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
/** A Wednesday. */
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

const job = (name: string) => runGameJob(api, name);
const beActive = (person: Person, isActive: boolean) => api.put(`${GAME}/my-window/active`, person, { isActive });
const neighborsOf = async (date: string, person: Person) => {
  const [row] = (await game.rows(date)).filter(({ user_id }) => user_id === person.id);
  return row === undefined ? undefined : [row.before_user_id, row.after_user_id];
};
const membersOf = async (week: string, as: Person) => {
  const { body } = await api.get(`${GAME}/battle/week/${week}`, as);
  return body.redTeam.members + body.blueTeam.members;
};
const remindersOf = (person: Person) =>
  api.query`select from nectar.notifications where user_id = ${person.id} and type = 'checkin_reminder'`;

describe("PUT /api/workout-window/my-window/active", () => {
  beforeEach(async () => {
    await api.query`delete from auth.users where id <> private.system_user_id()`;
    api.at(`${TODAY}T03:00:00Z`);
  });
  const ada = beforeEachTest(() => game.player("Ulm", 6));
  const ben = beforeEachTest(() => game.player("Ulm", 9));
  const eve = beforeEachTest(() => game.player("Ulm", 12));

  it("removes a person from chains, squads, reminders, mosaic and battle before their window opens", async () => {
    expect((await game.rows(TODAY)).filter(({ squad_id }) => squad_id !== null)).toHaveLength(3);
    expect(await membersOf("2031-05-12", ada)).toBe(3);
    const body = await beActive(ben, false).ok();
    const absence = { is_active: false, away: [{ from: TODAY, until: null }] };
    expect(body.window).toMatchObject({ ...absence, user_id: ben.id, window_start_time: "09:00" });
    expect((await api.get(`${GAME}/my-window`, ben)).body.window).toEqual(body.window);
    for (const date of [TODAY, TOMORROW]) {
      expect(await neighborsOf(date, ben)).toBeUndefined();
      expect(await neighborsOf(date, ada)).toEqual([null, eve.id]);
      expect((await game.rows(date)).map(({ squad_id }) => squad_id)).toEqual([null, null]);
      await api.get(`${GAME}/chain/${date}`, ben).refused(404, "game.no_chain");
    }
    expect(await membersOf("2031-05-12", ada)).toBe(2);
    api.at(`${TODAY}T08:45:00Z`);
    await job("reminders");
    expect(await remindersOf(ben)).toEqual([]);
    await job("mosaics");
    const { body: read } = await api.get(`${GAME}/mosaic/${TODAY}`, ada);
    expect(read.mosaic.stats.totalParticipants).toBe(2);
    api.at(`${TODAY}T09:30:00Z`);
    await photos.checkIn(ben, await photos.photoAt(`${TODAY}T09:20:00Z`)).refused(404, "game.no_window");
    const state = await api.get(`${GAME}/checkin/${TODAY}`, ben).ok();
    expect(state).toEqual({ checkin: null, status: "not_started" });
  });

  it("keeps an open window, which still accepts a check-in, and the battle of the week", async () => {
    api.at(`${TODAY}T09:00:00Z`);
    expect((await beActive(ben, false)).body.window.away).toEqual([{ from: TOMORROW, until: null }]);
    expect(await neighborsOf(TODAY, ben)).toEqual([ada.id, eve.id]);
    expect(await neighborsOf(TOMORROW, ben)).toBeUndefined();
    expect(await neighborsOf(TOMORROW, ada)).toEqual([null, eve.id]);
    api.at(`${TODAY}T09:30:00Z`);
    await photos.checkIn(ben, await photos.photoAt(`${TODAY}T09:20:00Z`)).created();
    expect(await membersOf("2031-05-12", ada)).toBe(3);
    api.at(`${TOMORROW}T09:30:00Z`);
    await photos.checkIn(ben, await photos.photoAt(`${TOMORROW}T09:20:00Z`)).refused(404, "game.no_window");
  });

  it("brings a person back from the next date whose window has not opened", async () => {
    await beActive(ben, false);
    api.at(`${TODAY}T09:00:00Z`);
    const { body } = await beActive(ben, true);
    expect(body.window).toMatchObject({ is_active: true, away: [{ from: TODAY, until: TOMORROW }] });
    expect(await neighborsOf(TODAY, ben)).toBeUndefined();
    expect(await neighborsOf(TOMORROW, ben)).toEqual([ada.id, eve.id]);
    await photos.checkIn(ben, await photos.photoAt(`${TODAY}T09:00:00Z`)).refused(404, "game.no_window");
    await job("generate-chains");
    expect(await neighborsOf(TODAY, ben)).toBeUndefined();
  });

  it("cancels an absence that has not begun", async () => {
    await beActive(ben, false);
    const { body } = await beActive(ben, true);
    expect(body.window).toMatchObject({ is_active: true, away: [] });
    for (const date of [TODAY, TOMORROW]) expect(await neighborsOf(date, ben)).toEqual([ada.id, eve.id]);
  });

  it("changes nothing if it is repeated", async () => {
    for (const isActive of [true, false]) {
      const once = await beActive(ben, isActive);
      const used = await api.query`select used from private.quota_uses where user_id = ${ben.id}`;
      api.at(`${TODAY}T10:00:00Z`);
      expect(await beActive(ben, isActive).ok()).toEqual(once.body);
      expect(await api.query`select used from private.quota_uses where user_id = ${ben.id}`).toEqual(used);
      api.at(`${TODAY}T03:00:00Z`);
    }
  });

  it("keeps an absence when the window is changed", async () => {
    await beActive(ben, false);
    const { body } = await game.setWindow(ben, 15);
    expect(body.window).toMatchObject({ is_active: false, away: [{ from: TODAY, until: null }] });
    expect(await neighborsOf(TODAY, ben)).toBeUndefined();
  });

  it("is completed by the job if the process dies after the commit", async () => {
    await api.database.asUser(ben.id, (tx) =>
      setActive(tx, ben.id, { isActive: false }, new Date(`${TODAY}T03:00:00Z`)),
    );
    expect(await neighborsOf(TODAY, ben)).toEqual([ada.id, eve.id]);
    // A person who has just left is not reminded, even if they still have a row.
    api.at(`${TODAY}T08:45:00Z`);
    await job("reminders");
    expect(await remindersOf(ben)).toEqual([]);
    api.at(`${TODAY}T03:00:00Z`);
    await job("rematch");
    for (const date of [TODAY, TOMORROW]) {
      expect(await neighborsOf(date, ben)).toBeUndefined();
      expect(await neighborsOf(date, ada)).toEqual([null, eve.id]);
    }
  });

  it("is completed also if the window has opened meanwhile", async () => {
    await api.database.asUser(ben.id, (tx) =>
      setActive(tx, ben.id, { isActive: false }, new Date(`${TODAY}T03:00:00Z`)),
    );
    api.at(`${TODAY}T09:01:00Z`);
    await job("rematch");
    expect(await neighborsOf(TODAY, ben)).toBeUndefined();
    expect(await neighborsOf(TODAY, eve)).toEqual([null, null]);
    // The window of the first one is over, so their links are final.
    expect(await neighborsOf(TODAY, ada)).toEqual([null, null]);
    expect(await neighborsOf(TOMORROW, ada)).toEqual([null, eve.id]);
  });

  it("plans absences, which are united, and are over when the person is back", async () => {
    const leave = (from: string | null, until: string | null) =>
      api.put(`${GAME}/my-window/active`, ben, { isActive: false, from, until });
    const away = [{ from: TOMORROW, until: "2031-05-20" }];
    expect((await leave(TOMORROW, "2031-05-18").ok()).window).toMatchObject({ is_active: true });
    expect((await leave("2031-05-18", "2031-05-20").ok()).window).toMatchObject({ is_active: true, away });
    const later = await leave("2031-08-12", null).ok();
    expect(later.window).toMatchObject({ is_active: true, away: [...away, { from: "2031-08-12", until: null }] });
    expect(await neighborsOf(TODAY, ben)).toEqual([ada.id, eve.id]);
    expect(await neighborsOf(TOMORROW, ben)).toBeUndefined();
    api.at(`${TOMORROW}T09:10:00Z`);
    await photos.checkIn(ben, await photos.photoAt(`${TOMORROW}T09:05:00Z`)).refused(404, "game.no_window");
    api.at("2031-05-19T12:00:00Z");
    await job("generate-chains");
    expect(await neighborsOf("2031-05-19", ben)).toBeUndefined();
    expect(await neighborsOf("2031-05-20", ben)).toEqual([ada.id, eve.id]);
    // The absence without an end has begun once no window opens before it.
    api.at("2031-08-11T08:59:00Z");
    expect((await api.get(`${GAME}/my-window`, ben)).body.window?.is_active).toBe(true);
    api.at("2031-08-11T09:00:00Z");
    expect((await api.get(`${GAME}/my-window`, ben)).body.window?.is_active).toBe(false);
    expect((await beActive(ben, true).ok()).window).toMatchObject({ is_active: true, away });
  });

  it("refuses absences that begin before the next window or end too late", async () => {
    const put = (body: object) => api.put(`${GAME}/my-window/active`, ben, body);
    api.at(`${TODAY}T09:00:00Z`);
    await put({ isActive: false, from: TODAY }).invalid("from");
    await put({ isActive: false, from: "2031-08-14" }).invalid("from");
    await put({ isActive: false, until: TOMORROW }).invalid("until");
    await put({ isActive: false, from: "2031-08-13", until: "2031-11-12" }).invalid("until");
    await put({ isActive: false, from: "2031-02-30" }).invalid("from");
    await put({ isActive: true, from: TOMORROW, until: "2031-05-20" }).invalid("from", "until");
    await put({ isActive: true, from: null, until: null }).ok();
    const { window } = await put({ isActive: false, from: "2031-08-13", until: "2031-11-11" }).ok();
    expect(window.away).toEqual([{ from: "2031-08-13", until: "2031-11-11" }]);
  });

  it("is 404 without a window", async () => {
    await beActive(await api.person(), false).refused(404, "game.no_window");
  });
});

it("counts a photo that fits two dates after a change of zone for the one without a check-in", async () => {
  api.at(`${TODAY}T12:00:00Z`);
  const traveller = await game.player("Hilo", 6, "Pacific/Honolulu");
  await game.setWindow(traveller, 6, "Pacific/Kiritimati").ok();
  api.at(`${TODAY}T16:45:00Z`);
  const dates = [];
  for (const minute of [20, 30]) {
    const { checkin } = await photos.checkIn(traveller, await photos.photoAt(`${TODAY}T16:${minute}:00Z`)).created();
    dates.push(checkin.date);
  }
  expect(dates.toSorted()).toEqual([TODAY, TOMORROW]);
  await photos
    .checkIn(traveller, await photos.photoAt(`${TODAY}T16:40:00Z`))
    .refused(409, "checkin.already_checked_in");
});

const HOUR = 3_600_000;
const START = Date.parse("2026-10-23T12:00:00Z");

it("plays on exactly the dates on which the person was active when their window opened", async () => {
  const zones = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago"] as const;
  const switches = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(switches, fc.constantFrom(...zones), fc.nat(23), async (hours, timezone, hour) => {
      const { id } = await api.person();
      const clock = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
      const times = { start: clock(hour), end: clock(hour + 2), timezone };
      const setup = { activityType: "walk", windowStartTime: times.start, windowEndTime: times.end, timezone } as const;
      const asThem = <Result>(work: Parameters<typeof api.database.asUser<Result>>[1]) => api.database.asUser(id, work);
      await asThem((tx) => setWindow(tx, id, setup, new Date(START)));
      const changes: { readonly at: number; readonly isActive: boolean }[] = [];
      let now = START;
      for (const later of hours) {
        now += later * HOUR;
        const isActive = changes.length % 2 === 1;
        changes.push({ at: now, isActive });
        await asThem((tx) => setActive(tx, id, { isActive }, new Date(now)));
      }
      const { window, counting } = await asThem(async (tx) => {
        const read = await readWindow(tx, id, new Date(now));
        if (read === null) throw new Error("The window is gone.");
        const services = { ...api.services, clock: { now: () => new Date(now) } };
        const { player } = await startCheckIn(tx, id, { services });
        return { window: read, counting: player.counting };
      });
      const dates = Array.from({ length: 8 }, (_, day) => addDays(new Date(now).toISOString().slice(0, 10), day - 4));
      const plays = (date: string) => {
        const opensAt = windowInstants(times, date).startsAt.getTime();
        const isActive = changes.findLast((change) => change.at < opensAt)?.isActive ?? true;
        return date >= window.effective_from && isActive;
      };
      expect(dates.filter((date) => effectiveWindow(window, date) !== null)).toEqual(dates.filter(plays));
      expect(hasLeft(window, new Date(now))).toBe(changes.at(-1)?.isActive === false);
      const everyDay = [{ times, from: window.effective_from, until: null }];
      expect(datesOpenForUpload(counting, new Date(now), 15).toSorted()).toEqual(
        datesOpenForUpload(everyDay, new Date(now), 15).filter(plays),
      );
    }),
    { numRuns: LONG ? 2_000 : 20 },
  );
});
