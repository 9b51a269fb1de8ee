import { type Selectable, sql } from "kysely";
import { AppError } from "#core/errors";
import { badgeOfLevel, badgeProgress } from "#core/people/badges";
import { addDays, utcDate } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { ReadableBadges } from "#database/types.generated";
import { type PageQuery, pageOf } from "#http/response/paging";
import { type Badge, Milestone } from "./schema.ts";

/** A user is not one of these if there is no block between them and the caller. */
const NOT_BLOCKED = sql<string>`all ((select private.blocked_users())::uuid[])`;

/**
 * Reads the badge of a user.
 * @param now its UTC day decides whether the last run of days still continues
 * @throws AppError 404 also across a block
 */
export async function readBadge(tx: Tx, userId: string, now: Date): Promise<Badge> {
  const [badge] = await listBadges(tx, [userId], now);
  if (badge === undefined) throw new AppError("user.not_found");
  return badge;
}

/** Reads the badges of several users, in the order of their ids; users who do not exist, or have a block between them and the caller, are left out. */
export async function listBadges(tx: Tx, userIds: readonly string[], now: Date): Promise<Badge[]> {
  const rows = await tx
    .selectFrom("readable_badges")
    .selectAll()
    // A plan for any number of people is used again; one for this number would be made each time.
    .where("user_id", "=", sql<string>`any((select ${userIds}::uuid[])::uuid[])`)
    .where("user_id", "<>", NOT_BLOCKED)
    .execute();
  const badges = new Map(rows.map((row) => [row.user_id, presentBadge(row, now)]));
  return userIds.flatMap((id) => badges.get(id) ?? []);
}

/** A badge as it is sent. @param now its UTC day decides whether the last run of days still continues */
export function presentBadge(row: Selectable<ReadableBadges>, now: Date): Badge {
  const { user_id, level, total_drops_sent, engagement_increases, success_rate, bonus_drops_earned } = row;
  const { name, emoji, color } = badgeOfLevel(level);
  const continues = row.last_sent_on !== null && row.last_sent_on >= addDays(utcDate(now), -1);
  return {
    user_id,
    level,
    name,
    emoji,
    color,
    total_drops_sent,
    engagement_increases,
    success_rate,
    bonus_drops_earned,
    consecutive_days: continues ? row.run_days : 0,
    progress: badgeProgress(engagement_increases, level),
  };
}

/** Recalculates the caller's level, which can only rise. */
export async function updateBadge(tx: Tx, userId: string, now: Date): Promise<{ badge: Badge; leveled_up: boolean }> {
  const leveled_up = await call(tx, "recalculate_my_badge", { moment: now });
  return { badge: await readBadge(tx, userId, now), leveled_up };
}

/** A page of the levels that a user reached, highest first. @throws AppError 404 also across a block */
export async function listMilestones(tx: Tx, userId: string, { cursor, limit }: PageQuery) {
  const rows = await tx
    .selectFrom("badge_milestones")
    .select(["id", "user_id", "level", "badge_name", "achieved_at", "stats"])
    .where("user_id", "=", userId)
    .where("user_id", "<>", NOT_BLOCKED)
    .where(
      cursor === undefined
        ? sql<boolean>`true`
        : sql<boolean>`level < (select last.level from badge_milestones last where last.id = ${cursor.id})`,
    )
    .orderBy("level", "desc")
    .limit(limit + 1)
    .execute();
  // Every user has the milestone of the first level.
  if (rows.length === 0 && cursor === undefined) throw new AppError("user.not_found");
  // Several levels may have been reached at once, so only the id of the cursor counts.
  const page = pageOf(rows, limit, ({ id, achieved_at }) => ({ at: achieved_at, id }));
  const milestones = page.rows.map((row) => ({ ...row, stats: Milestone.shape.stats.parse(row.stats) }));
  return { milestones, next_cursor: page.next_cursor };
}
