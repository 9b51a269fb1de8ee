import { badgeOfLevel } from "#core/people/badges";
import { call, called } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../../schedules.ts";
import type { LeaderboardResponse } from "./schema.ts";

/**
 * Reads the top of the leaderboard and the caller's own rank. Both cost the same however many users there are.
 * @param limit maximum number of entries
 */
export async function readLeaderboard(
  tx: Tx,
  userId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<LeaderboardResponse> {
  const rows = await tx
    .selectFrom(called("list_leaderboard", { max: limit }).as("top"))
    .crossJoin(called("leaderboard_rank", { userId }).as("mine"))
    .selectAll("top")
    // The same in every row. The time is null if the people ahead of the caller are counted now.
    .select(["mine.rank as my_rank", "mine.as_of"])
    .execute();
  const leaderboard = rows.map(({ my_rank: _, as_of: __, ...row }) => {
    const { name, emoji, color } = badgeOfLevel(row.badge_level);
    return { ...row, badge_name: name, emoji, color, success_rate: Number(row.success_rate) };
  });
  // If the list is empty, the caller is not on it either.
  const { my_rank = null, as_of = null } = rows[0] ?? {};
  return { leaderboard, my_rank, as_of: my_rank === null ? null : (as_of ?? now.toISOString()) };
}

/** Counts the people ahead on the leaderboard, for ranks behind the first thousand. */
export const countLeaderboard = job(scheduleOf("leaderboard"), async ({ now, errors, transaction }) => {
  const checkpoints = await transaction((tx) => call(tx, "count_leaderboard", { moment: now }));
  return { checkpoints, errors };
});
