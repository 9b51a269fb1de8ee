import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { rematchUsers } from "#functions/game/matching/rematch";
import { hasLeft, isOff } from "#functions/game/windows/dates";
import { readWindow, setActive, setRestDays, setWindow } from "#functions/game/windows/windows";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { CRON_SECRET, GAME, gameOf, runGameJob } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

it("keeps a failed day failed after two changes of window and zone and an absence", async () => {
  api.at(`${addDays(TODAY, -1)}T12:00:00Z`);
  const ben = await game.player("Ulm", 9);
  api.at(`${TODAY}T12:00:00Z`);
  const stateOfToday = async () =>
    (await api.get(`${GAME}/calendar?from=${TODAY}&to=${TODAY}`, ben).ok()).days.map(({ state }) => state);
  // The freeze of the first days protects the streak from a failed day.
  expect(await stateOfToday()).toEqual(["frozen"]);
  // In Honolulu the window of today is still to come; in Kiritimati that of tomorrow is over.
  await game.setWindow(ben, 20, "Pacific/Honolulu").ok();
  await game.setWindow(ben, 0, "Pacific/Kiritimati").ok();
  await api.put(`${GAME}/my-window/active`, ben, { isActive: false, from: TODAY }).invalid("from");
  const { window } = await api.put(`${GAME}/my-window/active`, ben, { isActive: false }).ok();
  expect(window).toMatchObject({ is_active: false, away: [{ from: TOMORROW, until: null }] });
  expect((await api.get(`${GAME}/my-window`, ben).ok()).window?.is_active).toBe(false);
  expect(await stateOfToday()).toEqual(["frozen"]);
  expect(await api.get(`${GAME}/checkin/${TODAY}`, ben).ok()).toEqual({ checkin: null, status: "failed" });
});

it("keeps a failed day failed when the account is closed and restored", async () => {
  api.at(`${TODAY}T08:00:00Z`);
  const ben = await game.player("Selm", 9);
  api.at(`${TODAY}T12:00:00Z`);
  await api.send("DELETE", "/api/user/account", { as: ben, body: { confirm: "DELETE" } }).ok();
  await runGameJob(api, "rematch");
  api.at(`${TOMORROW}T12:00:00Z`);
  await api.post("/api/user/account/restore", ben).ok();
  expect(await api.get(`${GAME}/checkin/${TODAY}`, ben).ok()).toEqual({ checkin: null, status: "failed" });
});

const HOUR = 3_600_000;
const START = Date.parse("2026-10-23T12:00:00Z");
/** The first and the last zones of the world, because a date lasts longest between them. */
const ZONES = ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"] as const;
const someMove = fc.record({
  what: fc.constant("move" as const),
  hour: fc.constantFrom(0, 6, 12, 20),
  timezone: fc.constantFrom(...ZONES),
});
const someChange = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom("leave" as const, "return" as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("rest" as const), weekday: fc.integer({ min: 1, max: 7 }) }) },
);
/** Two changes of the window and one of the days off, hours after the round before. */
const someRound = fc.record({
  later: fc.integer({ min: 1, max: 30 }),
  deeds: fc.tuple(someMove, someMove, someChange),
});

it("never makes a date off or unplayed once its matched window has opened, after any changes", async () => {
  const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
  await fc.assert(
    fc.asyncProperty(fc.array(someRound, { minLength: 2, maxLength: 4 }), async (rounds) => {
      const { id } = await api.person();
      const asThem = <Result>(work: Parameters<typeof api.database.asUser<Result>>[1]) => api.database.asUser(id, work);
      const move = (hour: number, timezone: string, now: Date) => {
        const times = { windowStartTime: clock(hour), windowEndTime: clock(hour + 2) };
        return asThem((tx) => setWindow(tx, id, { activityType: "walk", ...times, timezone }, now));
      };
      const openedAt = (now: Date) =>
        api.query<{ date: string; window_starts_at: Date }>`
          select date::text, window_starts_at from nectar.chains
          where user_id = ${id} and window_starts_at <= ${now.toISOString()}::timestamptz order by date`;
      let moment = START;
      await move(9, "UTC", new Date(moment));
      await rematchUsers({ ...api.services, clock: { now: () => new Date(START) } }, [id]);
      let isAway = false;
      for (const { later, deeds } of rounds) {
        moment += later * HOUR;
        const now = new Date(moment);
        const opened = await openedAt(now);
        for (const deed of deeds) {
          if (deed.what === "move") await move(deed.hour, deed.timezone, now);
          else if (deed.what === "rest") await asThem((tx) => setRestDays(tx, id, [deed.weekday], now));
          else {
            isAway = deed.what === "leave";
            await asThem((tx) => setActive(tx, id, { isActive: !isAway }, now));
          }
        }
        await rematchUsers({ ...api.services, clock: { now: () => now } }, [id]);
        const window = await asThem((tx) => readWindow(tx, id, now));
        if (window === null) throw new Error("The window is gone.");
        expect(opened.filter(({ date }) => isOff(window, date))).toEqual([]);
        expect((await openedAt(now)).slice(0, opened.length)).toEqual(opened);
        expect(hasLeft(window, now)).toBe(isAway);
      }
    }),
    { numRuns: LONG ? 2_000 : 14 },
  );
});
