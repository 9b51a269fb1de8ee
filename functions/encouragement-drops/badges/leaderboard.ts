import { badgeOfLevel } from "@nectar/core/badges";
import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import type { LeaderboardEntry } from "./schema.ts";

type LeaderboardRow = Omit<LeaderboardEntry, "badge_name" | "emoji" | "color" | "success_rate"> & {
  /** An exact number as text. */
  readonly success_rate: string;
  /** The caller's, the same in every row. */
  readonly my_rank: number | null;
};

/**
 * Reads the top of the leaderboard and the caller's own rank. Both cost the same however many users there are.
 * @param limit maximum number of entries
 */
export async function readLeaderboard(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<{ leaderboard: LeaderboardEntry[]; my_rank: number | null }> {
  const rows = await all<LeaderboardRow>(tx)`
    select top.*, (select private.leaderboard_rank(${userId})) as my_rank from private.list_leaderboard(${limit}) top
  `;
  const leaderboard = rows.map(({ my_rank: _, ...row }) => {
    const { name, emoji, color } = badgeOfLevel(row.badge_level);
    return { ...row, badge_name: name, emoji, color, success_rate: Number(row.success_rate) };
  });
  // If the list is empty, the caller is not on it either.
  return { leaderboard, my_rank: rows[0]?.my_rank ?? null };
}
