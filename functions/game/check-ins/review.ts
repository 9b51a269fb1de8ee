import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { CheckInFlag } from "#core/game/check-in";
import { ageHours } from "#database/age-hours";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { byCreation, pageOf } from "#http/response/paging";
import type { Services } from "#http/services/services";
import type { DayMoment } from "../day-state.ts";
import { degrees, presentCheckIn, reviewOf } from "./check-ins.ts";
import type { Review, ReviewQuery, WorkoutCheckIn } from "./schema.ts";

function reviewQuery(tx: Tx, now: Date) {
  return tx
    .selectFrom("workout_checkins as k")
    .innerJoin("profiles as p", "p.id", "k.user_id")
    .leftJoin("workout_checkin_photos as f", "f.checkin_id", "k.id")
    .leftJoin("chains as c", (join) => join.onRef("c.id", "=", "k.chain_id").on("k.activity_type", "=", "other"))
    .select([
      "k.id",
      "k.user_id",
      "k.chain_id",
      "k.date",
      "k.activity_type",
      "c.custom_activity",
      "k.photo_timestamp",
      "k.status",
      "k.battle_chips_earned",
      "k.chain_status",
      "k.team_color",
      "k.battle_week_start",
      "k.created_at",
      "k.reviewed_at",
      "k.reviewed_by",
      "k.review_reason",
      "f.photo_key",
      "f.location_lat",
      "f.location_lng",
      "p.full_name",
      "p.avatar_url",
      "p.is_ai",
    ])
    .select(sql<WorkoutCheckIn["chip_breakdown"]>`k.chip_breakdown`.as("chip_breakdown"))
    .select(ageHours("k.created_at", now).as("age_hours"))
    .select(sql<CheckInFlag[]>`coalesce(f.flags, '{}')`.as("flags"));
}

/** A page of check-ins for admins, newest first. */
export async function listReviews(services: Services, query: ReviewQuery, now: Date) {
  const rows = await services.database.asService((tx) => readReviews(tx, query, now));
  const checkIns = await Promise.all(rows.map((row) => presentReview(services, row)));
  const page = pageOf(checkIns, query.limit, byCreation);
  return { checkins: page.rows, nextCursor: page.next_cursor };
}

/** Check-ins as they are stored, newest first, one more than a page. */
export async function readReviews(tx: Tx, { status, cursor, limit }: ReviewQuery, now: Date) {
  let query = reviewQuery(tx, now).where(afterCursor(["k.created_at", "k.id"], cursor));
  if (status !== undefined) query = query.where("k.status", "=", status);
  return query
    .orderBy("k.created_at", "desc")
    .orderBy("k.id", "desc")
    .limit(limit + 1)
    .execute();
}

/**
 * Verifies or rejects a check-in, notifies its owner, and recounts the check-ins that depend on it. While the battle is open,
 * its chips change with the decision. If a check-in is verified after its battle has ended, its chips count for the next
 * battle, unless the battle ended with them. A rejection breaks the next player's chain when the window of its owner and its
 * grace are over: until then the photo can be replaced. The owner can appeal a rejection.
 * @throws AppError 404; 409 if the check-in has that status already
 */
export async function reviewCheckIn(
  tx: Tx,
  adminId: string,
  id: string,
  { status, reason }: Review,
  { now, graceMinutes }: DayMoment,
) {
  await call(tx, "lock_for_review", { checkinId: id });
  const current = await tx
    .selectFrom("workout_checkins")
    .select(["user_id", "date", "status"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("checkin.not_found"));
  if (current.status === status) throw new AppError("checkin.illegal_transition");
  await call(tx, "review_check_in", { checkinId: id, status, reason, adminId, moment: now, graceMinutes });
  const { user_id, date } = current;
  await call(tx, "notify", { userId: user_id, type: "checkin_reviewed", data: { checkin_id: id, date, status } });
  return reviewQuery(tx, now).where("k.id", "=", id).executeTakeFirstOrThrow();
}

type ReviewRow = Awaited<ReturnType<typeof readReviews>>[number];

/** A check-in as admins see it, also with a photo that is hidden by moderation. */
export async function presentReview(services: Services, row: ReviewRow) {
  const { full_name, avatar_url, is_ai, reviewed_at, reviewed_by, review_reason, flags, age_hours, ...checkIn } = row;
  const presented = await presentCheckIn(services, {
    ...checkIn,
    location_lat: degrees(row.location_lat),
    location_lng: degrees(row.location_lng),
    flags,
    review: reviewOf(row),
  });
  const user = { id: row.user_id, full_name, avatar_url, is_ai };
  return { ...presented, user, flags, age_hours, reviewed_at, reviewed_by, review_reason };
}
