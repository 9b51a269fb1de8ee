import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";
import type { LeaderboardPlace } from "./schema.ts";

/**
 * The top of the leaderboard and the caller's own place on it. Both cost the same however many people there are.
 * @param limit how many places
 */
export async function readLeaderboard(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<{ leaderboard: LeaderboardPlace[]; my_rank: number | null }> {
  const rows = await tx
    .selectFrom("user_badges as b")
    .innerJoin("profiles as p", "p.id", "b.user_id")
    .innerJoin("badge_definitions as d", "d.level", "b.level")
    .select([
      "b.user_id",
      "p.full_name",
      "p.avatar_url",
      "b.level as badge_level",
      "d.name as badge_name",
      "d.emoji",
      "d.color",
      "b.total_drops_sent",
      "b.engagement_increases",
      "b.success_rate",
    ])
    .where("b.is_listed", "=", true)
    .orderBy("b.leaderboard_key")
    .orderBy("b.user_id")
    .limit(limit)
    .execute();
  const leaderboard = rows.map((row, index) => ({
    rank: index + 1,
    ...row,
    success_rate: Number(row.success_rate),
  }));
  const mine = leaderboard.find((place) => place.user_id === userId);
  return { leaderboard, my_rank: mine?.rank ?? (await rankOf(tx, userId)) };
}

async function rankOf(tx: Tx, userId: string): Promise<number | null> {
  const { rows } = await sql<{ rank: number | null }>`
    select private.leaderboard_rank(${userId}::uuid) as rank
  `.execute(tx);
  return rows[0]?.rank ?? null;
}
