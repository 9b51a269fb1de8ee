import { badgeOfLevel } from "#core/people/badges";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../../schedules.ts";
import type { LeaderboardEntry, LeaderboardResponse } from "./schema.ts";

type LeaderboardRow = Omit<LeaderboardEntry, "badge_name" | "emoji" | "color" | "success_rate"> & {
  /** An exact number as text. */
  readonly success_rate: string;
  /** The caller's, the same in every row. */
  readonly my_rank: number | null;
  /** When the people ahead of the caller were counted; null if that is now. */
  readonly as_of: string | null;
};

/**
 * Reads the top of the leaderboard and the caller's own rank. Both cost the same however many users there are.
 * @param limit maximum number of entries
 */
export async function readLeaderboard(
  tx: Tx,
  userId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<LeaderboardResponse> {
  const rows = await all<LeaderboardRow>(tx)`
    select top.*, mine.rank as my_rank, mine.as_of
    from private.list_leaderboard(${limit}) top
    cross join private.leaderboard_rank(${userId}) mine
  `;
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
