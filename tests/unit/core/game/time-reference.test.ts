import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowsOfPhoto } from "#core/game/check-in";
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
import { clockChanges, dateAt, firstMomentAt } from "#tests/wall-clock";

const CASES = LONG ? 10_000 : 400;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];

const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const dayAfter = (date: string) => dateOf(Date.parse(date) + DAY);
/** The date that the clocks of a zone show. */
const shownDate = (zone: string, moment: number) => dateOf(dateAt(zone, moment));
const firstShowing = (zone: string, date: string, time: string) => firstMomentAt(zone, Date.parse(`${date}T${time}Z`));
const isEverShown = (zone: string, date: string) => shownDate(zone, firstShowing(zone, date, "00:00")) === date;

/** The days between 1990 and 2037 on which a zone's clocks were changed, and those before. */
const changes = new Map<string, string[]>();
function daysOfChange(zone: string): string[] {
  const known = changes.get(zone);
  if (known !== undefined) return known;
  const moments = clockChanges(zone, Date.UTC(1990, 0, 1), Date.UTC(2037, 0, 1), 28 * DAY);
  const days = moments.flatMap((moment) => [shownDate(zone, moment - DAY), shownDate(zone, moment)]);
  changes.set(zone, days);
  return days;
}

/** Start and end of the window of a date, in milliseconds, by the rules once more. */
function windowOf({ start, end, timezone }: WindowTimes, date: string): { start: number; end: number } {
  const startsAt = firstShowing(timezone, date, start);
  const endsAt = firstShowing(timezone, end < start ? dayAfter(date) : date, end);
  return { start: startsAt, end: Math.max(endsAt, startsAt + 2 * HOUR) };
}

/** All windows that are within about three days of a moment, in order. */
function windowsAround(times: WindowTimes, moment: number) {
  return [-3, -2, -1, 0, 1, 2, 3]
    .map((days) => dateOf(moment + days * DAY))
    .filter((date) => isEverShown(times.timezone, date))
    .map((date) => ({ date, ...windowOf(times, date) }));
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

describe("windows and their dates, compared with what the clocks show", () => {
  it(`agree in ${CASES} random cases of zone, date, window and instant`, () => {
    const seen = { changed: 0, within: 0, early: 0, otherDate: 0 };
    fc.assert(
      fc.property(cases, ({ window: { times, date }, offset, grace }) => {
        const expected = windowOf(times, date);
        const instants = windowInstants(times, date);
        expect([instants.startsAt.getTime(), instants.endsAt.getTime()]).toEqual([expected.start, expected.end]);

        const moment =
          expected[offset.edge === "start" ? "start" : "end"] + offset.minutes * MINUTE + offset.milliseconds;
        const now = new Date(moment);
        const margin = grace * MINUTE;
        const all = windowsAround(times, moment);

        const within = moment >= expected.start - margin && moment <= expected.end + margin;
        const early = moment >= expected.start - margin && moment <= expected.start + 30 * MINUTE;
        expect(isWithinGrace(instants, now, grace)).toBe(within);
        expect(isEarly(instants, now, grace)).toBe(early);

        const away = ({ start, end }: { start: number; end: number }) => Math.max(start - moment, moment - end, 0);
        const near = all.filter((one) => away(one) <= margin).toSorted((a, b) => away(a) - away(b));
        const found = windowsOfPhoto([{ times, from: null, until: null }], now)[0];
        const gameDate = found !== undefined && isWithinGrace(found, now, grace) ? found.date : undefined;
        expect(gameDate).toBe(near[0]?.date);
        expect(currentOrNextGameDate(times, now)).toBe(all.find(({ end }) => moment < end)?.date);
        expect(isPlayableDate(times, date)).toBe(isEverShown(times.timezone, date));

        const nextDay = dayAfter(shownDate(times.timezone, expected.end));
        expect(localDayEnd(date, times).getTime()).toBe(firstShowing(times.timezone, nextDay, "00:00"));

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
