import { badgeProgress } from "@nectar/core/badges";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";
import { type Badge, type BadgeDefinition, Milestone } from "./schema.ts";

const DAY_MS = 86_400_000;

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
    .selectFrom("user_badges as b")
    .innerJoin("badge_definitions as d", "d.level", "b.level")
    .leftJoin("badge_definitions as n", (join) => join.on(sql<boolean>`n.level = b.level + 1`))
    .select([
      "b.user_id",
      "b.level",
      "d.name",
      "d.emoji",
      "d.color",
      "d.min_engagement_increases",
      "b.total_drops_sent",
      "b.engagement_increases",
      "b.success_rate",
      "b.bonus_drops_earned",
      "b.run_days",
      "b.last_sent_on",
      "n.level as next_level",
      "n.name as next_name",
      "n.min_engagement_increases as next_minimum",
    ])
    .where(sql<boolean>`b.user_id = any(${userIds}::uuid[])`)
    .execute();
  const badges = new Map<string, Badge>();
  for (const row of rows) {
    const { next_level, next_name, next_minimum } = row;
    const isTop = next_level === null || next_name === null || next_minimum === null;
    const next = isTop ? null : { level: next_level, name: next_name, min_engagement_increases: next_minimum };
    badges.set(row.user_id, {
      user_id: row.user_id,
      level: row.level,
      name: row.name,
      emoji: row.emoji,
      color: row.color,
      total_drops_sent: row.total_drops_sent,
      engagement_increases: row.engagement_increases,
      success_rate: Number(row.success_rate),
      bonus_drops_earned: row.bonus_drops_earned,
      consecutive_days: row.last_sent_on !== null && row.last_sent_on >= dayBefore(now) ? row.run_days : 0,
      progress: badgeProgress(row.engagement_increases, row.min_engagement_increases, next),
    });
  }
  return userIds.map((id) => badges.get(id)).filter((badge) => badge !== undefined);
}

/** Works out the caller's level again; it can only rise. @throws AppError 404 when the account is gone */
export async function updateBadge(tx: Tx, userId: string, now: Date): Promise<{ badge: Badge; leveled_up: boolean }> {
  const { rows } = await sql<{ climbed: boolean }>`
    select private.recalculate_my_badge(${now.toISOString()}::timestamptz) as climbed
  `.execute(tx);
  return { badge: await readBadge(tx, userId, now), leveled_up: rows[0]?.climbed === true };
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

/** The ladder, the lowest level first. */
export async function listBadgeDefinitions(tx: Tx): Promise<BadgeDefinition[]> {
  const rows = await tx
    .selectFrom("badge_definitions")
    .select(["level", "name", "min_engagement_increases", "min_success_rate", "min_consecutive_days", "emoji", "color"])
    .orderBy("level")
    .execute();
  return rows.map((row) => ({
    ...row,
    min_success_rate: row.min_success_rate === null ? null : Number(row.min_success_rate),
  }));
}

function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
}
