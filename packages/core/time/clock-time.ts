import * as z from "zod";

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether a value is a time of day in a request: `HH:MM`, 24 hours. */
export function isClockTime(value: unknown): value is string {
  return typeof value === "string" && CLOCK_TIME.test(value);
}

/** A time of day in a request. */
export const ClockTime = z
  .string()
  .regex(CLOCK_TIME, "must be a 24-hour time such as 06:30")
  .meta({ description: "24-hour time, HH:MM." });
