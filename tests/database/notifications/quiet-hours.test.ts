import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isQuietAt, quietEnd } from "#tests/wall-clock";
import { useActing } from "../support/acting.ts";
import { clockTime, moments, quietHours, ZONES } from "./clocks.ts";

const acting = useActing();
const CASES = 10_000;

const quietMoment = fc
  .constantFrom(...ZONES)
  .chain((zone) => fc.record({ quiet: quietHours(zone), moment: moments(zone) }));

describe("private.quiet_until", () => {
  it(`agrees with the clocks of Node in ${CASES} random cases, most of them near a clock change`, async () => {
    const cases = fc.sample(quietMoment, CASES);
    const ends = await quietUntil(cases);
    const wrong = cases.flatMap(({ quiet, moment }, index) => {
      const expected = isQuietAt(quiet, moment) ? quietEnd(quiet, moment) : null;
      return ends[index] === expected ? [] : [{ quiet, moment: new Date(moment), expected, found: ends[index] }];
    });
    expect(wrong).toEqual([]);
    expect(ends.filter((end) => end === null).length).toBeLessThan(CASES);
  });

  it.each([
    ["in quiet hours that pass midnight", "UTC", "22:00-07:00", "2027-05-01T23:30:00Z", "2027-05-02T07:00:00Z"],
    ["at their start", "UTC", "22:00-07:00", "2027-05-01T22:00:00Z", "2027-05-02T07:00:00Z"],
    ["at their end", "UTC", "22:00-07:00", "2027-05-02T07:00:00Z", null],
    ["a millisecond before their end", "UTC", "22:00-07:00", "2027-05-02T06:59:59.999Z", "2027-05-02T07:00:00Z"],
    ["in a zone of quarter hours", "Asia/Kathmandu", "22:00-07:00", "2027-05-01T20:00:00Z", "2027-05-02T01:15:00Z"],
    ["when their hour is skipped", "Europe/Berlin", "02:00-03:00", "2027-03-28T01:00:00Z", null],
    ["when their end is skipped", "Europe/Berlin", "22:00-02:30", "2027-03-27T23:00:00Z", "2027-03-28T01:00:00Z"],
    ["when their hour occurs twice", "Europe/Berlin", "02:00-03:00", "2027-10-31T00:10:00Z", "2027-10-31T02:00:00Z"],
    ["when they occur twice", "America/New_York", "01:00-01:30", "2027-11-07T05:10:00Z", "2027-11-07T05:30:00Z"],
    ["the second time", "America/New_York", "01:00-01:30", "2027-11-07T06:10:00Z", "2027-11-07T06:30:00Z"],
    [
      "when half an hour is skipped",
      "Australia/Lord_Howe",
      "22:00-02:15",
      "2027-10-02T12:00:00Z",
      "2027-10-02T15:30:00Z",
    ],
    ["when a day is skipped", "Pacific/Apia", "22:00-07:00", "2011-12-30T09:00:00Z", "2011-12-30T17:00:00Z"],
    [
      "when a day has no moment outside of them",
      "Europe/Berlin",
      "03:00-02:30",
      "2027-03-27T12:00:00Z",
      "2027-03-29T00:30:00Z",
    ],
    [
      "in a zone that PostgreSQL does not know",
      "Mars/Olympus",
      "22:00-07:00",
      "2027-05-01T23:30:00Z",
      "2027-05-02T07:00:00Z",
    ],
  ])("%s", async (_, zone, hours, moment, end) => {
    const [start = 0, last = 0] = hours.split("-").map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
    const found = await quietUntil([{ quiet: { zone, start, end: last }, moment: Date.parse(moment) }]);
    expect(found).toEqual([end === null ? null : Date.parse(end)]);
  });
});

/** Asks the database for all moments at once. */
async function quietUntil(cases: readonly { quiet: { zone: string; start: number; end: number }; moment: number }[]) {
  const { rows } = await acting.admin.query<{ end: number | null }>(
    `select extract(epoch from private.quiet_until(
       private.known_zone(c.zone), c.quiet_start, c.quiet_end, to_timestamp(c.moment / 1000)
     ))::float * 1000 as end
     from jsonb_to_recordset($1::jsonb) c (number int, zone text, quiet_start time, quiet_end time, moment numeric)
     order by c.number`,
    [
      JSON.stringify(
        cases.map(({ quiet, moment }, number) => ({
          number,
          zone: quiet.zone,
          quiet_start: clockTime(quiet.start),
          quiet_end: clockTime(quiet.end),
          moment,
        })),
      ),
    ],
  );
  return rows.map(({ end }) => (end === null ? null : Math.round(end)));
}
