import type { Enum } from "../enums.generated.ts";

/** What a game date counts as for its player. */
export interface CountedDay {
  readonly date: string;
  readonly state: Enum<"day_state"> | "off";
}

/** After so long without a completed date a streak is over, dates off included. */
const MAX_GAP_MS = 90 * 86_400_000;
/** Completed days in a row that earn a freeze. */
const DAYS_FOR_FREEZE = 7;
const MAX_FREEZES = 2;
const FIRST_FREEZES = 1;

/**
 * A player's own streak. A failed day takes a freeze, without one it ends the streak; all days that are neither completed nor
 * failed are neutral.
 * @param days in order
 * @param today on which the streak is as returned
 * @returns the streak, and the failed dates that took a freeze
 */
export function countStreak(days: readonly CountedDay[], today: string) {
  let [current, longest, freezesHeld] = [0, 0, FIRST_FREEZES];
  let since: string | null = null;
  let lastCompletedAt = Number.POSITIVE_INFINITY;
  const frozen = new Set<string>();
  const end = () => {
    current = 0;
    since = null;
  };
  const endAfterGap = (time: number) => {
    if (time - lastCompletedAt > MAX_GAP_MS) end();
  };
  for (const { date, state } of days) {
    const time = Date.parse(date);
    endAfterGap(time);
    if (state === "completed") {
      current += 1;
      since ??= date;
      lastCompletedAt = time;
      longest = Math.max(longest, current);
      if (current % DAYS_FOR_FREEZE === 0) freezesHeld = Math.min(freezesHeld + 1, MAX_FREEZES);
    } else if (state === "failed" && freezesHeld > 0) {
      freezesHeld -= 1;
      frozen.add(date);
    } else if (state === "failed") end();
  }
  endAfterGap(Date.parse(today));
  const nextFreezeIn = freezesHeld === MAX_FREEZES ? null : DAYS_FOR_FREEZE - (current % DAYS_FOR_FREEZE);
  return { streak: { current, longest, since, freezesHeld, nextFreezeIn }, frozen };
}
