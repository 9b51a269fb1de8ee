import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowOfPhoto } from "#core/game/check-in";
import {
  currentOrNextGameDate,
  isEarly,
  isPlayableDate,
  isWithinGrace,
  localDayEnd,
  type WindowTimes,
  windowInstants,
} from "#core/game/time";
import { LONG } from "#tests/long";
import { dayAfter, everShown, firstShowing, shown, shownDate, slowWindow, slowWindows } from "./wall-clock.ts";

const CASES = LONG ? 10_000 : 2_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FIRST_NOON = Date.UTC(1990, 0, 1, 12);

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];

/** The days on which a zone's clocks were changed between 1990 and 2037, found by looking at noons four weeks apart. */
const changes = new Map<string, string[]>();
function daysOfChange(timezone: string): string[] {
  let days = changes.get(timezone);
  if (days === undefined) {
    days = [];
    const offset = (instant: number) => shown(timezone, instant) - instant;
    let before = offset(FIRST_NOON);
    for (let noon = FIRST_NOON; noon < Date.UTC(2037, 0, 1); noon += 28 * DAY) {
      const after = offset(noon + 28 * DAY);
      if (before !== after) {
        // The last noon before the change is `noon` plus `last` days, and less than `beyond`.
        let [last, beyond] = [0, 28];
        while (beyond - last > 1) {
          const middle = Math.floor((last + beyond) / 2);
          if (offset(noon + middle * DAY) === before) last = middle;
          else beyond = middle;
        }
        days.push(shownDate(timezone, noon + last * DAY), shownDate(timezone, noon + beyond * DAY));
      }
      before = after;
    }
    changes.set(timezone, days);
  }
  return days;
}

const times = fc
  .record({ zone: fc.constantFrom(...ZONES), minute: fc.integer({ min: 0, max: 24 * 60 - 1 }) })
  .map(({ zone, minute }): WindowTimes => ({ start: clock(minute), end: clock(minute + 120), timezone: zone }));

/** Windows of any date; of a zone that changes its clocks, half of them close to a change. */
const windows = times.chain((window) => {
  const days = daysOfChange(window.timezone);
  const any = fc
    .integer({ min: 0, max: 47 * 365 })
    .map((day) => new Date(Date.UTC(1990, 0, 1) + day * DAY).toISOString().slice(0, 10));
  const date = days.length === 0 ? any : fc.oneof(any, fc.constantFrom(...days));
  return date.map((day) => ({ times: window, date: day }));
});

/** Instants that decide something, and others of the days around. */
const offsets = fc.oneof(
  fc.record({
    edge: fc.constantFrom("start", "end"),
    minutes: fc.constantFrom(0, -15, 15, 30, -30, 120),
    milliseconds: fc.constantFrom(-1, 0, 1),
  }),
  fc.record({
    edge: fc.constantFrom("start", "end"),
    minutes: fc.integer({ min: -3000, max: 3000 }),
    milliseconds: fc.constantFrom(0, 59_999),
  }),
);

const cases = fc.record({ window: windows, offset: offsets, grace: fc.constantFrom(15, 15, 0, 120) });

describe("windows and their dates, compared with a search through all clock times", () => {
  it(`agree in ${CASES} random cases of zone, date, window and instant`, { timeout: 300_000 }, () => {
    const seen = { changed: 0, within: 0, early: 0, otherDate: 0 };
    fc.assert(
      fc.property(cases, ({ window: { times, date }, offset, grace }) => {
        const expected = slowWindow(times, date);
        const instants = windowInstants(times, date);
        expect([instants.startsAt.getTime(), instants.endsAt.getTime()]).toEqual([expected.start, expected.end]);

        const moment =
          expected[offset.edge === "start" ? "start" : "end"] + offset.minutes * MINUTE + offset.milliseconds;
        const now = new Date(moment);
        const margin = grace * MINUTE;
        const all = slowWindows(times, moment);

        const within = moment >= expected.start - margin && moment <= expected.end + margin;
        const early = moment >= expected.start - margin && moment <= expected.start + 30 * MINUTE;
        expect(isWithinGrace(instants, now, grace)).toBe(within);
        expect(isEarly(instants, now, grace)).toBe(early);

        const away = ({ start, end }: { start: number; end: number }) => Math.max(start - moment, moment - end, 0);
        const near = all.filter((one) => away(one) <= margin).toSorted((a, b) => away(a) - away(b));
        const found = windowOfPhoto([{ times, from: null, until: null }], now);
        const gameDate = found !== null && isWithinGrace(found, now, grace) ? found.date : undefined;
        expect(gameDate).toBe(near[0]?.date);
        expect(currentOrNextGameDate(times, now)).toBe(all.find(({ end }) => moment < end)?.date);
        expect(isPlayableDate(times, date)).toBe(everShown(times.timezone, date));

        let lastDay = shownDate(times.timezone, expected.end);
        lastDay = dayAfter(lastDay);
        const dayEnd = firstShowing(times.timezone, lastDay, "00:00");
        expect(localDayEnd(date, times).getTime()).toBe(dayEnd);

        if (daysOfChange(times.timezone).includes(date)) seen.changed += 1;
        if (within) seen.within += 1;
        if (early) seen.early += 1;
        if (near[0] !== undefined && near[0].date !== shownDate(times.timezone, moment)) seen.otherDate += 1;
      }),
      { numRuns: CASES },
    );
    // Cases of every sort came up, or the agreement would say little.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(CASES / 50);
  });
});

function clock(minute: number): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${pad(Math.floor(minute / 60) % 24)}:${pad(minute % 60)}`;
}
