import type { Tx } from "#database/database";
import { all } from "#database/query";
import type { DayMoment } from "./day-state.ts";
import type { TeamColor } from "./schema.ts";

/** How the players of a team are doing on a date. */
export interface PlayerCounts {
  /** Null for check-ins of people who are in no chain on that date. */
  readonly color: TeamColor | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Counts verified check-ins only. */
  readonly chips: number;
}

/** Counts the players of a date, in an index only. A team without players is left out. */
export async function countPlayers(
  tx: Tx,
  date: string,
  { now, graceMinutes }: DayMoment,
): Promise<readonly PlayerCounts[]> {
  return all<PlayerCounts>(tx)`
    select color, total, completed, failed, chips
    from private.count_players(${date}::date, ${now.toISOString()}::timestamptz, ${graceMinutes}::integer)
  `;
}
