import { badgeOfLevel, badgeProgress } from "@nectar/core/badges";
import { addDays, utcDate } from "@nectar/core/calendar-date";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { all, value } from "@nectar/database/query";
import { type Badge, Milestone } from "./schema.ts";

/**
 * Reads the badge of a user.
 * @param now its UTC day decides whether the last run of days still continues
 * @throws AppError 404
 */
export async function readBadge(tx: Tx, userId: string, now: Date): Promise<Badge> {
  const [badge] = await listBadges(tx, [userId], now);
  if (badge === undefined) throw new AppError("user.not_found");
  return badge;
}

/** What a badge is made of. */
interface BadgeRow extends Omit<Badge, "name" | "emoji" | "color" | "success_rate" | "consecutive_days" | "progress"> {
  /** An exact number as text. */
  readonly success_rate: string;
  readonly run_days: number;
  readonly last_sent_on: string | null;
}

/** Reads the badges of several users, in the order of their ids; users who do not exist are left out. */
export async function listBadges(tx: Tx, userIds: readonly string[], now: Date): Promise<Badge[]> {
  const rows = await all<BadgeRow>(tx)`
    select b.user_id, b.level, b.total_drops_sent, b.engagement_increases, b.success_rate, b.bonus_drops_earned,
      b.run_days, b.last_sent_on
    from unnest(${userIds}::uuid[]) u (id)
    cross join lateral private.read_badge(u.id) b
  `;
  const yesterday = addDays(utcDate(now), -1);
  const badges = new Map<string, Badge>();
  for (const { run_days, last_sent_on, ...row } of rows) {
    const { name, emoji, color } = badgeOfLevel(row.level);
    badges.set(row.user_id, {
      ...row,
      name,
      emoji,
      color,
      success_rate: Number(row.success_rate),
      consecutive_days: last_sent_on !== null && last_sent_on >= yesterday ? run_days : 0,
      progress: badgeProgress(row.engagement_increases, row.level),
    });
  }
  return userIds.flatMap((id) => badges.get(id) ?? []);
}

/** Recalculates the caller's level, which can only rise. */
export async function updateBadge(tx: Tx, userId: string, now: Date): Promise<{ badge: Badge; leveled_up: boolean }> {
  const leveled_up = await value<boolean>(tx)`select private.recalculate_my_badge(${now.toISOString()}::timestamptz)`;
  return { badge: await readBadge(tx, userId, now), leveled_up };
}

/** Lists when a user reached their levels, highest first. @throws AppError 404 */
export async function listMilestones(tx: Tx, userId: string): Promise<Milestone[]> {
  const rows = await tx
    .selectFrom("badge_milestones")
    .select(["id", "user_id", "level", "badge_name", "achieved_at", "stats"])
    .where("user_id", "=", userId)
    .orderBy("level", "desc")
    .execute();
  // Every user has the milestone of the first level.
  if (rows.length === 0) throw new AppError("user.not_found");
  return rows.map((row) => ({ ...row, stats: Milestone.shape.stats.parse(row.stats) }));
}
