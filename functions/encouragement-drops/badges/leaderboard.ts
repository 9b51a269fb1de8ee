import { badgeOfLevel } from "@nectar/core/badges";
import type { Tx } from "@nectar/database/database";
import { value } from "@nectar/database/query";
import type { LeaderboardEntry } from "./schema.ts";

/**
 * Reads the top of the leaderboard and the caller's own rank. Both cost the same however many users there are.
 * @param limit maximum number of entries
 */
export async function readLeaderboard(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<{ leaderboard: LeaderboardEntry[]; my_rank: number | null }> {
  const rows = await tx
    .selectFrom("user_badges as b")
    .innerJoin("profiles as p", "p.id", "b.user_id")
    .select([
      "b.user_id",
      "p.full_name",
      "p.avatar_url",
      "b.level as badge_level",
      "b.total_drops_sent",
      "b.engagement_increases",
      "b.success_rate",
    ])
    .where("b.is_listed", "=", true)
    .orderBy("b.leaderboard_key")
    .orderBy("b.user_id")
    .limit(limit)
    .execute();
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
