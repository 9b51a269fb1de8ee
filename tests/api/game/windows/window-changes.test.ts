import fc from "fast-check";
import { expect, it } from "vitest";
import { windowsOfPhoto } from "#core/game/check-in";
import { isPlayableDate, windowInstants } from "#core/game/time";
import { addDays } from "#core/time/calendar-date";
import { startCheckIn } from "#functions/game/check-ins/receive";
import { rematchUsers } from "#functions/game/matching/rematch";
import { effectiveWindow, timesOf } from "#functions/game/windows/dates";
import type { WindowSetup } from "#functions/game/windows/schema";
import { readWindow, setWindow } from "#functions/game/windows/windows";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";

const api = useApi();
const HOUR = 3_600_000;
/** The Friday before Berlin, Lord Howe and Havana change their clocks, all within two weeks. */
const START = Date.parse("2026-10-02T12:00:00Z");
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/Havana",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
] as const;

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const change = fc
  .record({
    slot: fc.integer({ min: 0, max: 47 }),
    timezone: fc.constantFrom(...ZONES),
    activityType: fc.constantFrom("walk" as const, "cardio" as const),
    hoursLater: fc.integer({ min: 0, max: 60 }),
    minutesLater: fc.constantFrom(0, 30),
  })
  .map(({ slot, hoursLater, minutesLater, ...rest }) => ({
    later: hoursLater * HOUR + minutesLater * 60_000,
    setup: { ...rest, windowStartTime: clock(slot * 30), windowEndTime: clock(slot * 30 + 120) } satisfies WindowSetup,
  }));

it("keeps an open window, never applies to one that is over, and counts from the earliest possible date", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 8 }), async (changes) => {
      const { id } = await api.person();
      let moment = START;
      for (const { later, setup } of changes) {
        moment += later;
        const now = new Date(moment);
        const [before, after] = await api.database.asUser(id, async (tx) => [
          await readWindow(tx, id, now),
          await setWindow(tx, id, setup, now),
        ]);
        const around = Array.from({ length: 9 }, (_, day) => addDays(now.toISOString().slice(0, 10), day - 4));
        const openedBy = (date: string) => {
          const was = before === null ? null : effectiveWindow(before, date);
          return was !== null && windowInstants(timesOf(was), date).startsAt <= now;
        };
        const over = (date: string) =>
          !isPlayableDate(setup, date) || windowInstants(timesOf(after), date).endsAt <= now;

        const lastOpened = around.filter(openedBy).at(-1);
        // The window stores one earlier version; a second one is in the chain row.
        const isKept =
          before?.previous == null ||
          lastOpened === undefined ||
          lastOpened >= before.effective_from ||
          after.effective_from <= before.effective_from;
        if (before !== null && lastOpened !== undefined && isKept) {
          expect(effectiveWindow(after, lastOpened)).toEqual(effectiveWindow(before, lastOpened));
        }
        expect(after).toMatchObject({ window_start_time: setup.windowStartTime, timezone: setup.timezone });
        const isUnchanged = before !== null && after.updated_at === before.updated_at;
        if (isUnchanged) continue;
        expect(openedBy(after.effective_from) || over(after.effective_from)).toBe(false);
        const earlier = addDays(after.effective_from, -1);
        expect(openedBy(earlier) || over(earlier)).toBe(true);
      }
    }),
    { numRuns: LONG ? 2_000 : 20 },
  );
});

it("accepts photos for the matched window while its day is open, after any number of changes", async () => {
  const { id } = await api.person();
  const set = async (moment: string, start: number) => {
    const now = new Date(moment);
    const times = { windowStartTime: clock(start * 60), windowEndTime: clock(start * 60 + 120) };
    const setup = { activityType: "walk", ...times, timezone: "UTC" } as const;
    const window = await api.database.asUser(id, (tx) => setWindow(tx, id, setup, now));
    await rematchUsers({ ...api.services, clock: { now: () => now } }, [id]);
    return window;
  };
  await set("2026-11-17T12:00:00Z", 23);
  // From the 19th, because the window of the 18th is over; then from the 20th, because that of the 19th has opened.
  expect((await set("2026-11-18T12:00:00Z", 8)).effective_from).toBe("2026-11-19");
  const window = await set("2026-11-19T08:30:00Z", 20);
  expect(window).toMatchObject({ effective_from: "2026-11-20", previous: { window_start_time: "08:00" } });

  const services = { ...api.services, clock: { now: () => new Date("2026-11-19T11:00:00Z") } };
  const { counting } = (await api.database.asUser(id, (tx) => startCheckIn(tx, id, { services }))).player;
  const at = (moment: string) => {
    const found = windowsOfPhoto(counting, new Date(moment))[0];
    return found === undefined ? null : [found.date, found.times.start, found.minutesOff];
  };
  expect(at("2026-11-19T00:30:00Z")).toEqual(["2026-11-18", "23:00", 0]);
  expect(at("2026-11-18T00:30:00Z")).toEqual(["2026-11-17", "23:00", 0]);
  expect(at("2026-11-19T08:30:00Z")).toEqual(["2026-11-19", "08:00", 0]);
  expect(at("2026-11-20T20:30:00Z")).toEqual(["2026-11-20", "20:00", 0]);
  // No one had a window on the morning of the 18th.
  expect(at("2026-11-18T08:30:00Z")?.[2]).not.toBe(0);
});
