import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import { type DayMoment, dayState } from "../day-state.ts";
import type { TeamColor } from "../schema.ts";
import type { TeamStats, TeamStatsResponse } from "./schema.ts";

const EMPTY_STATS: TeamStats = {
  totalMembers: 0,
  completed: 0,
  failed: 0,
  pending: 0,
  completionRate: 0,
  totalChips: 0,
};

/** The results of both teams on a date. Players whose window has not opened are pending. */
export async function readTeamStats(tx: Tx, date: string, moment: DayMoment): Promise<TeamStatsResponse> {
  const rows = await all<TeamStats & { color: TeamColor }>(tx)`
    select counted.color, "totalMembers", completed, failed, "totalMembers" - completed - failed as pending, "totalChips",
      round(100.0 * completed / "totalMembers", 1)::float8 as "completionRate"
    from (
      select c.team_color as color, count(*) as "totalMembers",
        count(*) filter (where c.state = 'completed') as completed,
        count(*) filter (where c.state = 'failed') as failed,
        coalesce(sum(c.chips) filter (where c.state = 'completed'), 0) as "totalChips"
      from (
        select c.team_color, k.battle_chips_earned as chips,
          ${dayState(moment)} as state
        from chains c
        left join workout_checkins k on k.date = c.date and k.user_id = c.user_id
        where c.date = ${date}
      ) c
      group by c.team_color
    ) counted
  `;
  const statsOf = (wanted: TeamColor): TeamStats => {
    const found = rows.find(({ color }) => color === wanted);
    if (found === undefined) return EMPTY_STATS;
    const { color: _, ...stats } = found;
    return stats;
  };
  return { redTeam: statsOf("red"), blueTeam: statsOf("blue") };
}
