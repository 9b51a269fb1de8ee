import { describe, expect, it } from "vitest";
import { addDays, CalendarDate, dateIn, weekStart } from "#core/time/calendar-date";

describe("a calendar date", () => {
  it.each(["2024-02-29", "0001-01-01", "9999-12-31"])("can be %s", (date) => {
    expect(CalendarDate.safeParse(date).success).toBe(true);
  });

  it.each(["2026-02-29", "2026-02-30", "2026-13-01", "0000-01-01", "2026-1-1", "2026-01-01T00:00:00Z", ""])(
    "cannot be %j",
    (date) => {
      expect(CalendarDate.safeParse(date).success).toBe(false);
    },
  );

  it.each([
    ["2026-03-01", -1, "2026-02-28"],
    ["2024-02-28", 1, "2024-02-29"],
    ["2026-12-31", 1, "2027-01-01"],
    ["2026-11-21", -7, "2026-11-14"],
  ])("%s and %i days is %s", (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  it.each([
    ["UTC", "2026-11-21T23:59:59.999Z", "2026-11-21"],
    ["Pacific/Kiritimati", "2026-11-21T10:00:00Z", "2026-11-22"],
    ["America/New_York", "2026-11-22T04:59:00Z", "2026-11-21"],
    ["Europe/Zurich", "2026-03-29T00:59:00Z", "2026-03-29"],
  ])("in %s at %s the date is %s", (zone, moment, expected) => {
    expect(dateIn(zone, new Date(moment))).toBe(expected);
  });

  it.each([
    ["2026-11-16", "2026-11-16"],
    ["2026-11-22", "2026-11-16"],
    ["2026-11-23", "2026-11-23"],
    ["2027-01-01", "2026-12-28"],
  ])("%s is in the week of Monday, %s", (date, monday) => {
    expect(weekStart(date)).toBe(monday);
  });
});
