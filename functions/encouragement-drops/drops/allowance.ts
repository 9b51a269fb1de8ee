import { utcDate } from "@nectar/core/calendar-date";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import type { Allowance } from "./schema.ts";

const DAY_MS = 86_400_000;

/** What the caller may still send on the UTC day of a moment, by the rules as they are now. */
export async function readAllowance(tx: Tx, userId: string, now: Date): Promise<Allowance> {
  const today = utcDate(now);
  const row = await one<Omit<Allowance, "date" | "total_available" | "resets_at">>(tx)`
    select c.daily_allowance,
           coalesce(a.drops_used, 0) as drops_used,
           coalesce(a.bonus_earned, 0) + private.carried_bonus(${userId}, ${today}) as bonus_drops_earned,
           coalesce(a.custom_drops_used, 0) as custom_drops_used,
           c.max_custom_drops_per_day
    from encouragement_config c
    left join encouragement_allowances a on a.user_id = ${userId} and a.date = ${today}
  `;
  const { daily_allowance, drops_used, bonus_drops_earned, custom_drops_used, max_custom_drops_per_day } = row;
  return {
    date: today,
    daily_allowance,
    drops_used,
    bonus_drops_earned,
    // The rules may have been lowered after drops were sent.
    total_available: Math.max(0, daily_allowance + bonus_drops_earned - drops_used),
    custom_drops_used,
    max_custom_drops_per_day,
    resets_at: nextMidnight(now).toISOString(),
  };
}

/** Whole seconds until the next day begins by the UTC calendar; at least 1. */
export function secondsToMidnight(now: Date): number {
  return Math.ceil((nextMidnight(now).getTime() - now.getTime()) / 1000);
}

function nextMidnight(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}
