/** What a person has and used on a day. */
interface Allowance {
  readonly daily_allowance: number;
  readonly bonus_drops_earned: number;
  readonly drops_used: number;
}

/** Drops that a person can still send on a day; the allowance may have been lowered after drops were sent. */
export function dropsLeft({ daily_allowance, bonus_drops_earned, drops_used }: Allowance): number {
  return Math.max(0, daily_allowance + bonus_drops_earned - drops_used);
}
