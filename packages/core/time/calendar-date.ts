import * as z from "zod";
import { remembered } from "./remembered.ts";

/** A calendar date, `YYYY-MM-DD`, that PostgreSQL also accepts: no year 0, and no 30 February. */
export const CalendarDate = z.iso
  .date("must be a date such as 2026-11-21")
  .refine((date) => !date.startsWith("0000"), "must be a date such as 2026-11-21");

/** A calendar month, `YYYY-MM`. */
export const CalendarMonth = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11")
  .refine((month) => !month.startsWith("0000"), "must be a month such as 2026-11");

/** The date of a moment in UTC, `YYYY-MM-DD`. */
export function utcDate(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The month of a moment in UTC, `YYYY-MM`. */
export function utcMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** The local date in a time zone. @param timeZone IANA time zone */
export function dateIn(timeZone: string, moment: Date): string {
  const parts = formatterOf(timeZone).formatToParts(moment);
  const part = (type: "year" | "month" | "day") => parts.find((candidate) => candidate.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** Creating a formatter takes about 25 times as long as using one, and matching needs the dates of all players. */
const formatterOf = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "iso8601",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }),
);

/** The date a number of days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return utcDate(moment);
}

const DAY_MS = 86_400_000;

/** The number of a date: days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** The date with a number of `dayNumber`. */
export function dateOfDay(day: number): string {
  return utcDate(new Date(day * DAY_MS));
}

/** The weekday of a date, from 1 (Monday) to 7. @param date `YYYY-MM-DD` */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The Monday of a date's week. @param date `YYYY-MM-DD` */
export function weekStart(date: string): string {
  return addDays(date, 1 - weekdayOf(date));
}
