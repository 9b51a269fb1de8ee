import { dropsLeft } from "#core/money/drops-left";
import { addDays, utcDate } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { DropAllowance } from "#database/types.generated";
import type { Allowance } from "./schema.ts";

/** Reads what the caller can still send on the UTC day of a moment, by the current rules. */
export async function readAllowance(tx: Tx, userId: string, now: Date): Promise<Allowance> {
  return presentAllowance(await call(tx, "read_allowance", { userId, date: utcDate(now) }), now);
}

/** The allowance of a row, as it is on the UTC day of a moment. */
export function presentAllowance(row: DropAllowance, now: Date): Allowance {
  return {
    date: utcDate(now),
    ...row,
    total_available: dropsLeft(row),
    resets_at: nextMidnight(now).toISOString(),
  };
}

/** Whole seconds until the next midnight in UTC; at least 1. */
export function secondsToMidnight(now: Date): number {
  return Math.ceil((nextMidnight(now).getTime() - now.getTime()) / 1000);
}

function nextMidnight(now: Date): Date {
  return new Date(`${addDays(utcDate(now), 1)}T00:00:00.000Z`);
}
