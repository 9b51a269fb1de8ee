import { call, type Row } from "#database/call";
import type { Tx } from "#database/database";
import type { DayMoment } from "./day-state.ts";

/** How the players of a team are doing on a date. The color is null for check-ins of people who are in no chain then. */
export type PlayerCounts = Row<"count_players">;

/** Counts the players of a date, in an index only. A team without players is left out. */
export async function countPlayers(
  tx: Tx,
  date: string,
  { now, graceMinutes }: DayMoment,
): Promise<readonly PlayerCounts[]> {
  return call(tx, "count_players", { date, at: now, graceMinutes });
}
