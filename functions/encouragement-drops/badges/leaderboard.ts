import { badgeOfLevel } from "@nectar/core/badges";
import type { Tx } from "@nectar/database/database";
import { all, value } from "@nectar/database/query";
import type { LeaderboardEntry } from "./schema.ts";

/** A row of the leaderboard; the rate is an exact number as text. */
type LeaderboardRow = Omit<LeaderboardEntry, "rank" | "badge_name" | "emoji" | "color" | "success_rate"> & {
  readonly success_rate: string;
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
  const rows = await all<LeaderboardRow>(tx)`select * from private.list_leaderboard(${limit})`;
  const leaderboard = rows.map((row, index) => {
    const { name, emoji, color } = badgeOfLevel(row.badge_level);
    return { rank: index + 1, ...row, badge_name: name, emoji, color, success_rate: Number(row.success_rate) };
  });
  const own = leaderboard.find((entry) => entry.user_id === userId);
  return { leaderboard, my_rank: own?.rank ?? (await readRank(tx, userId)) };
}

async function readRank(tx: Tx, userId: string): Promise<number | null> {
  return value<number | null>(tx)`select private.leaderboard_rank(${userId}::uuid)`;
}
