import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import type { DayMoment } from "./day-state.ts";
import type { TeamColor } from "./schema.ts";

/** How the players of a team are doing on a date. */
export interface PlayerCounts {
  /** Null for check-ins of people who are in no chain on that date. */
  readonly color: TeamColor | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Of verified check-ins. */
  readonly chips: number;
}

/** Counts the players of a date, at a cost that does not grow with them. A team without players is left out. */
export async function countPlayers(
  tx: Tx,
  date: string,
  { now, graceMinutes }: DayMoment,
): Promise<readonly PlayerCounts[]> {
  return all<PlayerCounts>(tx)`
    select p.team_color as color, sum(p.players)::integer as total,
      coalesce(sum(p.players) filter (where p.state = 'completed'), 0)::integer as completed,
      coalesce(sum(p.players) filter (where p.state = 'failed'), 0)::integer as failed, sum(p.chips)::integer as chips
    from (
      -- When the windows start makes no difference here: before that, a day has neither succeeded nor failed.
      select c.*, private.day_state(
        c.status, null, c.window_ends_at, c.day_ends_at, ${now.toISOString()}::timestamptz, ${graceMinutes}::integer
      ) as state
      from private.players_of_date(${date}) c
    ) p
    group by p.team_color
  `;
}
