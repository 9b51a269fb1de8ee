import { describe, expect, it } from "vitest";
import { weekStart } from "#core/time/calendar-date";
import { useActing } from "../support/acting.ts";

const acting = useActing();

/** The state of a day whose window is from 8 to 10, with 15 minutes of grace. */
async function stateAt(time: string, { dayEnds = "24:00", status = null as string | null } = {}) {
  return (
    await acting.one(
      `select private.day_state($1, d + interval '8 hours', d + interval '10 hours', d + $2::interval, d + $3::interval, 15) as state
     from (select timestamptz '2031-05-14Z' as d) day`,
      [status, dayEnds, time],
    )
  ).state;
}

describe("a day without a check-in", () => {
  it.each([
    ["00:00", "not_started"],
    ["07:45", "not_started"],
    ["07:59:59.999", "not_started"],
    ["08:00", "pending"],
    ["09:59:59.999", "pending"],
    ["10:00", "pending"],
    ["10:15", "pending"],
    ["10:15:00.001", "failed"],
    ["24:00", "failed"],
  ])("at %s is %s", async (time, expected) => {
    expect(await stateAt(time)).toBe(expected);
  });

  it.each([
    ["10:09:59.999", "pending"],
    ["10:10", "failed"],
  ])("at %s is %s if it ends at 10:10, within the grace", async (time, expected) => {
    expect(await stateAt(time, { dayEnds: "10:10" })).toBe(expected);
  });
});

it.each([
  ["verified", "completed"],
  ["pending", "pending"],
  ["rejected", "failed"],
])("a day with a check-in that is %s is %s at any time", async (status, expected) => {
  for (const time of ["07:00", "09:00", "10:15:00.001", "25:00"]) {
    expect(await stateAt(time, { status })).toBe(expected);
  }
});

it("the Monday of a date is the same in SQL and in TypeScript", async () => {
  const rows = await acting.query<{
    date: string;
    monday: string;
  }>(`select d::date::text as date, private.week_start(d::date)::text as monday
     from generate_series('1999-12-20'::timestamp, '2032-01-10', '1 day') d`);
  expect(rows.length).toBeGreaterThan(11_000);
  expect(rows.filter(({ date, monday }) => weekStart(date) !== monday)).toEqual([]);
});
