import type { Tx } from "#database/database";
import type { DayMoment } from "../day-state.ts";
import { countPlayers, type PlayerCounts } from "../player-counts.ts";
import type { TeamColor } from "../schema.ts";
import type { TeamStats, TeamStatsResponse } from "./schema.ts";

const NO_PLAYERS = { total: 0, completed: 0, failed: 0, chips: 0 };

/** The results of both teams on a date. Players whose window has not opened are pending. */
export async function readTeamStats(tx: Tx, date: string, moment: DayMoment): Promise<TeamStatsResponse> {
  const counts = await countPlayers(tx, date, moment);
  const statsOfTeam = (wanted: TeamColor) => statsOf(counts.find(({ color }) => color === wanted) ?? NO_PLAYERS);
  return { redTeam: statsOfTeam("red"), blueTeam: statsOfTeam("blue") };
}

function statsOf({ total, completed, failed, chips }: Omit<PlayerCounts, "color">): TeamStats {
  return {
    totalMembers: total,
    completed,
    failed,
    pending: total - completed - failed,
    completionRate: total === 0 ? 0 : Math.round((1_000 * completed) / total) / 10,
    totalChips: chips,
  };
}
