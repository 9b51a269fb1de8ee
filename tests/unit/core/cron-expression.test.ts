import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastDueTimes } from "#core/time/cron-expression";
import { SCHEDULES } from "#functions/schedules";

const due = (expression: string, moment: string) => lastDueTimes(expression, new Date(moment), 1)[0]?.toISOString();

describe("the last due time of a cron expression", () => {
  it.each([
    ["every minute", "cron(* * * * ? *)", "2026-11-22T17:04:59.999Z", "2026-11-22T17:04:00.000Z"],
    ["the moment itself", "cron(17 * * * ? *)", "2026-11-22T17:17:00.000Z", "2026-11-22T17:17:00.000Z"],
    ["the hour before", "cron(17 * * * ? *)", "2026-11-22T17:16:59.999Z", "2026-11-22T16:17:00.000Z"],
    ["a step from a value", "cron(4/5 * * * ? *)", "2026-11-22T17:08:00.000Z", "2026-11-22T17:04:00.000Z"],
    ["a step of every value", "cron(*/20 * * * ? *)", "2026-11-22T17:39:00.000Z", "2026-11-22T17:20:00.000Z"],
    ["a range with a step", "cron(0 8-18/4 * * ? *)", "2026-11-22T19:00:00.000Z", "2026-11-22T16:00:00.000Z"],
    ["the first of a month", "cron(0/15 0-2 1 * ? *)", "2026-11-22T17:00:00.000Z", "2026-11-01T02:45:00.000Z"],
    ["a named weekday", "cron(0 23 ? * SUN *)", "2026-11-22T22:59:00.000Z", "2026-11-15T23:00:00.000Z"],
    [
      "a numbered weekday, Sunday being 1",
      "cron(0 23 ? * 1 *)",
      "2026-11-22T23:00:00.000Z",
      "2026-11-22T23:00:00.000Z",
    ],
    ["a range of weekdays", "cron(0 9 ? * MON-FRI *)", "2026-11-22T17:00:00.000Z", "2026-11-20T09:00:00.000Z"],
    ["a list of months", "cron(0 0 1 JAN,7 ? *)", "2026-11-22T17:00:00.000Z", "2026-07-01T00:00:00.000Z"],
    ["the end of a year", "cron(59 23 31 12 ? *)", "2027-01-01T00:00:00.000Z", "2026-12-31T23:59:00.000Z"],
  ])("is found for %s", (_, expression, moment, expected) => {
    expect(due(expression, moment)).toBe(expected);
  });

  it.each(["0 * * * ? *", "cron(0 * * * ?)", "cron(60 * * * ? *)", "cron( * * * ? *)"])(
    "is refused for %s",
    (expression) => {
      expect(() => due(expression, "2026-11-22T17:00:00.000Z")).toThrow();
    },
  );

  it("comes with those before, the latest first", () => {
    expect(lastDueTimes("cron(0 0 1 1 ? *)", new Date("2026-11-22"), 3)).toEqual([
      new Date("2026-01-01"),
      new Date("2025-01-01"),
      new Date("2024-01-01"),
    ]);
  });

  it.each(SCHEDULES.map(({ name, cron }) => ({ name, cron })))(
    "is never after the moment for $name, and is its own",
    ({ cron }) => {
      fc.assert(
        fc.property(
          fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
          (moment) => {
            const [previous = new Date(Number.NaN)] = lastDueTimes(cron, moment, 1);
            expect(previous.getTime()).toBeLessThanOrEqual(moment.getTime());
            expect(lastDueTimes(cron, previous, 1)).toEqual([previous]);
          },
        ),
      );
    },
  );
});
