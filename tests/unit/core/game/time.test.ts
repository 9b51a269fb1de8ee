import { describe, expect, it } from "vitest";
import { windowsOfPhoto } from "#core/game/check-in";
import {
  currentOrNextGameDate,
  isEarly,
  isPlayableDate,
  isTwoHours,
  isWithinGrace,
  localDayEnd,
  type WindowTimes,
  windowInstants,
} from "#core/game/time";

const evening = (timezone: string): WindowTimes => ({ start: "23:00", end: "01:00", timezone });

/** The window that begins at a full or half hour, two hours long. */
function from(start: string, timezone: string): WindowTimes {
  const hour = (Number(start.slice(0, 2)) + 2) % 24;
  return { start, end: `${String(hour).padStart(2, "0")}${start.slice(2)}`, timezone };
}

/** The game date that a photo of some moment counts for; null for none. */
function gameDateAt(times: WindowTimes, moment: Date, graceMinutes: number): string | null {
  const found = windowsOfPhoto([{ times, from: null, until: null }], moment)[0];
  return found !== undefined && isWithinGrace(found, moment, graceMinutes) ? found.date : null;
}

describe("a window's length", () => {
  it.each([
    ["06:00", "08:00", true],
    ["22:00", "00:00", true],
    ["22:01", "00:01", true],
    ["23:00", "01:00", true],
    ["00:00", "02:00", true],
    ["06:00", "07:59", false],
    ["06:00", "08:01", false],
    ["08:00", "06:00", false],
    ["01:00", "23:00", false],
    ["06:00", "06:00", false],
  ])("%s to %s is two hours: %s", (start, end, expected) => {
    expect(isTwoHours(start, end)).toBe(expected);
  });
});

describe("the instants of a window where clocks change", () => {
  it.each([
    ["New York, an ordinary day", from("02:30", "America/New_York"), "2026-03-07", "07:30Z", "09:30Z"],
    // Spring: 02:00 becomes 03:00 on 8 March 2026.
    ["a skipped start begins after the gap", from("02:30", "America/New_York"), "2026-03-08", "07:00Z", "09:00Z"],
    ["a start at the first skipped minute", from("02:00", "America/New_York"), "2026-03-08", "07:00Z", "09:00Z"],
    ["a start just after the gap", from("03:00", "America/New_York"), "2026-03-08", "07:00Z", "09:00Z"],
    ["an end that is skipped: two real hours", from("00:30", "America/New_York"), "2026-03-08", "05:30Z", "07:30Z"],
    ["a gap inside: two real hours", from("01:30", "America/New_York"), "2026-03-08", "06:30Z", "08:30Z"],
    ["an end at the first skipped minute", from("00:00", "America/New_York"), "2026-03-08", "05:00Z", "07:00Z"],
    // Autumn: 02:00 becomes 01:00 on 1 November 2026.
    ["a start that comes twice is the first", from("01:30", "America/New_York"), "2026-11-01", "05:30Z", "08:30Z"],
    ["an end that comes twice is the first", from("23:30", "America/New_York"), "2026-10-31", "03:30Z+1", "05:30Z+1"],
    ["an overlap inside: three real hours", from("00:30", "America/New_York"), "2026-11-01", "04:30Z", "07:30Z"],
    // Over midnight and over the change: Berlin 02:00 to 03:00 on 29 March, 03:00 to 02:00 on 25 October 2026.
    ["23:00 to 01:00 before Berlin's spring", evening("Europe/Berlin"), "2026-03-28", "22:00Z", "00:00Z+1"],
    ["23:00 to 01:00 after it", evening("Europe/Berlin"), "2026-03-29", "21:00Z", "23:00Z"],
    ["23:00 to 01:00 before Berlin's autumn", evening("Europe/Berlin"), "2026-10-24", "21:00Z", "23:00Z"],
    ["23:00 to 01:00 after it", evening("Europe/Berlin"), "2026-10-25", "22:00Z", "00:00Z+1"],
    // Havana changes at midnight: 00:00 to 01:00 on 8 March, 01:00 to 00:00 on 1 November 2026.
    ["23:00 to 01:00 over a gap at midnight", evening("America/Havana"), "2026-03-07", "04:00Z+1", "06:00Z+1"],
    ["23:00 to 01:00 over an overlap after midnight", evening("America/Havana"), "2026-10-31", "03:00Z+1", "06:00Z+1"],
    ["a day that begins at 01:00", from("00:00", "America/Havana"), "2026-03-08", "05:00Z", "07:00Z"],
    // Nuuk: Saturday 23:00 becomes Sunday 00:00 on 28 March; Sunday 00:00 becomes Saturday 23:00 on 24 October 2026.
    ["a start skipped into the next day", evening("America/Nuuk"), "2026-03-28", "01:00Z+1", "03:00Z+1"],
    ["the next day's window, for comparison", evening("America/Nuuk"), "2026-03-29", "00:00Z+1", "02:00Z+1"],
    ["an overlap over midnight", evening("America/Nuuk"), "2026-10-24", "00:00Z+1", "03:00Z+1"],
    // Lord Howe moves by half an hour: 02:00 to 02:30 on 4 October, 02:00 to 01:30 on 5 April 2026.
    ["a gap of half an hour", from("02:15", "Australia/Lord_Howe"), "2026-10-04", "15:30Z-1", "17:30Z-1"],
    ["half an hour inside", from("01:00", "Australia/Lord_Howe"), "2026-10-04", "14:30Z-1", "16:30Z-1"],
    ["an overlap of half an hour", from("01:45", "Australia/Lord_Howe"), "2026-04-05", "14:45Z-1", "17:15Z-1"],
    ["23:00 to 01:00 before it", evening("Australia/Lord_Howe"), "2026-10-03", "12:30Z", "14:30Z"],
    // Zones that are no full hour from UTC.
    ["Kathmandu", from("06:00", "Asia/Kathmandu"), "2026-11-21", "00:15Z", "02:15Z"],
    ["Chatham, which changes at 02:45", from("02:45", "Pacific/Chatham"), "2026-09-27", "14:00Z-1", "16:00Z-1"],
    // Samoa went from 29 to 31 December 2011.
    ["an end on a day that is skipped", evening("Pacific/Apia"), "2011-12-29", "09:00Z+1", "11:00Z+1"],
    ["the first day after", from("00:00", "Pacific/Apia"), "2011-12-31", "10:00Z-1", "12:00Z-1"],
    // Kwajalein had no 21 August 1993.
    ["the last day before", evening("Pacific/Kwajalein"), "1993-08-20", "11:00Z+1", "13:00Z+1"],
  ])("%s", (_, times, date, starts, ends) => {
    const { startsAt, endsAt } = windowInstants(times, date);
    expect([startsAt.toISOString(), endsAt.toISOString()]).toEqual([on(date, starts), on(date, ends)]);
  });

  it("does not play a date that a time zone skipped", () => {
    const apia = { timezone: "Pacific/Apia" };
    expect(["2011-12-29", "2011-12-30", "2011-12-31"].map((date) => isPlayableDate(apia, date))).toEqual([
      true,
      false,
      true,
    ]);
    expect(isPlayableDate({ timezone: "Pacific/Kwajalein" }, "1993-08-21")).toBe(false);
    // A day that lacks its first or last hour is one all the same.
    expect(isPlayableDate({ timezone: "America/Havana" }, "2026-03-08")).toBe(true);
    expect(isPlayableDate({ timezone: "America/Nuuk" }, "2026-03-28")).toBe(true);
    // Half past midnight, two dates after the one on which the window began.
    expect(currentOrNextGameDate(evening("Pacific/Apia"), new Date("2011-12-30T10:30Z"))).toBe("2011-12-29");
    const times = from("10:00", "Pacific/Apia");
    expect(currentOrNextGameDate(times, new Date("2011-12-30T09:00Z"))).toBe("2011-12-31");
    expect(gameDateAt(times, new Date("2011-12-30T21:00Z"), 15)).toBe("2011-12-31");
    expect(gameDateAt(evening("Pacific/Apia"), new Date("2011-12-30T10:30Z"), 15)).toBe("2011-12-29");
  });
});

describe("the game date", () => {
  it("at half past midnight is the day before for a window from 23:00", () => {
    const times = evening("Europe/Berlin");
    const halfPast = new Date("2026-11-20T23:30Z");
    expect(gameDateAt(times, halfPast, 15)).toBe("2026-11-20");
    expect(currentOrNextGameDate(times, halfPast)).toBe("2026-11-20");
  });

  it("is today until the window ends, then tomorrow", () => {
    const times = from("08:00", "UTC");
    const at = (time: string) => currentOrNextGameDate(times, new Date(`2026-11-21T${time}Z`));
    expect([at("00:00"), at("08:00"), at("09:59:59.999"), at("10:00")]).toEqual([
      "2026-11-21",
      "2026-11-21",
      "2026-11-21",
      "2026-11-22",
    ]);
  });

  it("is that of the closer window if a long grace makes two overlap", () => {
    const times = from("08:00", "UTC");
    const day = (time: string) => gameDateAt(times, new Date(`2026-11-21T${time}Z`), 12 * 60);
    expect([day("20:59"), day("21:00"), day("21:01")]).toEqual(["2026-11-21", "2026-11-21", "2026-11-22"]);
  });
});

describe("grace, early bonus and phase", () => {
  const window = windowInstants(from("08:00", "UTC"), "2026-11-21");
  const at = (time: string) => new Date(`2026-11-21T${time}Z`);

  it.each([
    ["07:44:59.999", false],
    ["07:45", true],
    ["08:00", true],
    ["10:15", true],
    ["10:15:00.001", false],
  ])("%s is within 15 minutes: %s", (time, expected) => {
    expect(isWithinGrace(window, at(time), 15)).toBe(expected);
    expect(gameDateAt(from("08:00", "UTC"), at(time), 15)).toBe(expected ? "2026-11-21" : null);
  });

  it.each([
    ["07:44:59.999", false],
    ["07:45", true],
    ["08:30", true],
    ["08:30:00.001", false],
  ])("%s is early: %s", (time, expected) => {
    expect(isEarly(window, at(time), 15)).toBe(expected);
  });

  it("ends with the window without grace", () => {
    expect(isWithinGrace(window, at("10:00"), 0)).toBe(true);
    expect(isWithinGrace(window, at("10:00:00.001"), 0)).toBe(false);
  });
});

describe("the end of the local day", () => {
  it.each([
    ["an ordinary day", from("08:00", "Europe/Berlin"), "2026-11-21", "2026-11-21T23:00:00.000Z"],
    ["the day after, if a window crosses midnight", evening("Europe/Berlin"), "2026-11-21", "2026-11-22T23:00:00.000Z"],
    ["the day after, if it ends at midnight", from("22:00", "Europe/Berlin"), "2026-11-21", "2026-11-22T23:00:00.000Z"],
    ["a day of 23 hours", from("08:00", "Europe/Berlin"), "2026-03-29", "2026-03-29T22:00:00.000Z"],
    ["a day of 25 hours", from("08:00", "Europe/Berlin"), "2026-10-25", "2026-10-25T23:00:00.000Z"],
    ["a next day that begins at 01:00", from("08:00", "America/Havana"), "2026-03-07", "2026-03-08T05:00:00.000Z"],
    ["a next day that never was", from("08:00", "Pacific/Apia"), "2011-12-29", "2011-12-30T10:00:00.000Z"],
  ])("%s", (_, times, date, expected) => {
    expect(localDayEnd(date, times).toISOString()).toBe(expected);
  });
});

/** `07:30Z` on a date, `+1` on the day after and `-1` on the day before it. */
function on(date: string, time: string): string {
  const days = Number(time.slice(6) || "0");
  return new Date(Date.parse(`${date}T${time.slice(0, 6)}`) + days * 24 * 3_600_000).toISOString();
}
