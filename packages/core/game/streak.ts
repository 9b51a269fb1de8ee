import type { Enum } from "../enums.generated.ts";
import { dateOfDay } from "../time/calendar-date.ts";

/** What a game date counts as for its player. */
export interface CountedDay {
  /** The number of the date, as `dayNumber` counts. */
  readonly day: number;
  readonly state: Enum<"day_state"> | "off";
}

/** After so long without a completed date a streak is over, dates off included. */
export const MAX_GAP_DAYS = 90;
/** Completed days in a row that earn a freeze. */
const DAYS_FOR_FREEZE = 7;
const MAX_FREEZES = 2;
const FIRST_FREEZES = 1;

/**
 * A player's own streak. A failed day takes a freeze, without one it ends the streak; all days that are neither completed nor
 * failed are neutral.
 * @param days in order
 * @param today the number of the date on which the streak is as returned
 * @returns the streak, and the numbers of the failed dates that took a freeze
 */
export function countStreak(days: readonly CountedDay[], today: number) {
  let [current, longest, freezesHeld] = [0, 0, FIRST_FREEZES];
  let since: number | null = null;
  let lastCompleted = Number.POSITIVE_INFINITY;
  const frozen = new Set<number>();
  const end = () => {
    current = 0;
    since = null;
  };
  const endAfterGap = (day: number) => {
    if (day - lastCompleted > MAX_GAP_DAYS) end();
  };
  for (const { day, state } of days) {
    endAfterGap(day);
    if (state === "completed") {
      current += 1;
      since ??= day;
      lastCompleted = day;
      longest = Math.max(longest, current);
      if (current % DAYS_FOR_FREEZE === 0) freezesHeld = Math.min(freezesHeld + 1, MAX_FREEZES);
    } else if (state === "failed" && freezesHeld > 0) {
      freezesHeld -= 1;
      frozen.add(day);
    } else if (state === "failed") end();
  }
  endAfterGap(today);
  const nextFreezeIn = freezesHeld === MAX_FREEZES ? null : DAYS_FOR_FREEZE - (current % DAYS_FOR_FREEZE);
  return {
    streak: { current, longest, since: since === null ? null : dateOfDay(since), freezesHeld, nextFreezeIn },
    frozen,
  };
}
