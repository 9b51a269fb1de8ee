import { badgeOfLevel, badgeProgress } from "@nectar/core/badges";
import { addDays, utcDate } from "@nectar/core/calendar-date";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { sql } from "kysely";
import { type Badge, Milestone } from "./schema.ts";

/**
 * A person's badge.
 * @param now decides whether the run of days still goes on
 * @throws AppError 404 when there is no such person
 */
export async function readBadge(tx: Tx, userId: string, now: Date): Promise<Badge> {
  const [badge] = await listBadges(tx, [userId], now);
  if (badge === undefined) throw new AppError("user.not_found");
  return badge;
}

/** The badges of several people in the order of their ids; whoever does not exist is left out. */
export async function listBadges(tx: Tx, userIds: readonly string[], now: Date): Promise<Badge[]> {
  const rows = await tx
    .selectFrom("user_badges")
    .select([
      "user_id",
      "level",
      "total_drops_sent",
      "engagement_increases",
      "success_rate",
      "bonus_drops_earned",
      "run_days",
      "last_sent_on",
    ])
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute();
  const badges = new Map<string, Badge>();
  for (const { run_days, last_sent_on, ...row } of rows) {
    const { name, emoji, color } = badgeOfLevel(row.level);
    badges.set(row.user_id, {
      ...row,
      name,
      emoji,
      color,
      success_rate: Number(row.success_rate),
      consecutive_days: last_sent_on !== null && last_sent_on >= addDays(utcDate(now), -1) ? run_days : 0,
      progress: badgeProgress(row.engagement_increases, row.level),
    });
  }
  return userIds.map((id) => badges.get(id)).filter((badge) => badge !== undefined);
}

/** Works out the caller's level again; it can only rise. @throws AppError 404 when the account is gone */
export async function updateBadge(tx: Tx, userId: string, now: Date): Promise<{ badge: Badge; leveled_up: boolean }> {
  const { climbed } = await one<{ climbed: boolean }>(tx)`
    select private.recalculate_my_badge(${now.toISOString()}::timestamptz) as climbed
  `;
  return { badge: await readBadge(tx, userId, now), leveled_up: climbed };
}

/** When a person reached their levels, the highest first. @throws AppError 404 when there is no such person */
export async function listMilestones(tx: Tx, userId: string): Promise<Milestone[]> {
  const rows = await tx
    .selectFrom("badge_milestones")
    .select(["id", "user_id", "level", "badge_name", "achieved_at", "stats"])
    .where("user_id", "=", userId)
    .orderBy("level", "desc")
    .execute();
  // Everybody has that of the first level.
  if (rows.length === 0) throw new AppError("user.not_found");
  return rows.map((row) => ({ ...row, stats: Milestone.shape.stats.parse(row.stats) }));
}
