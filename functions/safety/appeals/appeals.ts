import { sql } from "kysely";
import { AppError } from "#core/errors";
import { ageHours } from "#database/age-hours";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { cardOf } from "#database/profiles";
import { all } from "#database/query";
import { byCreation, type PageQuery, pageOf, withSignedUrl } from "#http/response/paging";
import { hasOtherAdmin, requireAdmin } from "../admins.ts";
import { type ReportedCheckIn, reportedCheckIn } from "../reported-photo.ts";
import type { Appeal, AppealDecision, AppealQuery, ReceivedAppeal, ReceivedDecision } from "./schema.ts";

const STATUS = { uphold: "upheld", reverse: "reversed" } as const;

/** A page of the decisions about the caller and their things, newest first. */
export async function listDecisions(tx: Tx, userId: string, { cursor, limit }: PageQuery) {
  const rows = await all<ReceivedDecision>(tx)`
    select d.id, d.target_type, d.target_id, d.decision, d.reason, false as automated, d.decided_at, d.suspended_until,
      private.appeal_until(d.decided_at) as appeal_until,
      json_build_object(
        'status', coalesce(a.status::text, 'none'), 'reason', a.reason, 'answer', a.answer,
        'decided_at', private.rfc3339(a.decided_at)
      ) as appeal
    from moderation_decisions d
    left join moderation_appeals a on a.decision_id = d.id
    where d.owner_id = ${userId} and ${afterCursor(["d.decided_at", "d.id"], cursor)}
    order by d.decided_at desc, d.id desc
    limit ${limit + 1}
  `;
  const page = pageOf(rows, limit, ({ decided_at, id }) => ({ at: decided_at, id }));
  return { decisions: page.rows, next_cursor: page.next_cursor };
}

/** Appeals a decision about the caller. @throws AppError 404; 409 if it is too late, or appealed already */
export async function createAppeal(tx: Tx, decisionId: string, reason: string, now: Date): Promise<Appeal> {
  return readAppeal(tx, await call(tx, "create_appeal", { decisionId, reason, moment: now }));
}

async function readAppeal(tx: Tx, id: string): Promise<Appeal> {
  return tx
    .selectFrom("moderation_appeals")
    .select(["id", "status", "reason", "answer", "created_at", "decided_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** A page of what people appealed, oldest first, for an admin, with the paths of photos. */
export async function listReceivedAppeals(tx: Tx, { status, cursor, limit }: AppealQuery, now: Date) {
  const rows = await all<Omit<ReceivedAppeal, "photo_url" | "date"> & ReportedCheckIn>(tx)`
    select a.id, a.status, a.reason, a.answer, a.created_at, a.decided_at,
      json_build_object(
        'id', d.id, 'target_type', d.target_type, 'target_id', d.target_id, 'decision', d.decision, 'reason', d.reason,
        'automated', false, 'decided_at', private.rfc3339(d.decided_at),
        'suspended_until', private.rfc3339(d.suspended_until)
      ) as decision,
      ${cardOf("a.owner_id")} as owner, d.excerpt, ${reportedCheckIn("d.target_type", "d.target_id", sql`d.photo_key`)} as checkin,
      ${ageHours("a.created_at", now)} as age_hours
    from moderation_appeals a
    join moderation_decisions d on d.id = a.decision_id
    where ${status === undefined ? sql`true` : sql`a.status = ${status}`}
      and ${afterCursor(["a.created_at", "a.id"], cursor, "oldest first")}
    order by a.created_at, a.id
    limit ${limit + 1}
  `;
  return pageOf(rows, limit, byCreation, withSignedUrl);
}

/**
 * Decides an appeal for an admin, in a transaction of the service.
 * @throws AppError 403, 404; 409 if it is decided, or if another admin must decide it
 */
export async function decideAppeal(
  tx: Tx,
  adminId: string,
  id: string,
  { decision, answer }: AppealDecision,
  { now, graceMinutes }: { readonly now: Date; readonly graceMinutes: number },
): Promise<Appeal> {
  await requireAdmin(tx, adminId);
  const appealed = await findAppeal(tx, id);
  // Reviews lock in this order as well, so that the two do not wait for each other.
  if (appealed.decision === "reject") await call(tx, "lock_for_review", { checkinId: appealed.target_id });
  await call(tx, "stop_writes", { userId: appealed.owner_id });
  // Again, because it may have been decided, or deleted with an account, before it was locked.
  const { owner_id, decided_by, status } = await findAppeal(tx, id);
  const isInvolved = adminId === owner_id || adminId === decided_by;
  if (isInvolved && (await hasOtherAdmin(tx, adminId, owner_id))) throw new AppError("appeal.same_reviewer");
  if (status !== "open") throw new AppError("appeal.already_decided");
  await call(tx, "record_appeal_decision", {
    appealId: id,
    status: STATUS[decision],
    answer,
    decidedBy: adminId,
    moment: now,
    graceMinutes,
  });
  return readAppeal(tx, id);
}

/** Finds an appeal with the author of the decision that it is about. @throws AppError 404 */
async function findAppeal(tx: Tx, id: string) {
  return tx
    .selectFrom("moderation_appeals as a")
    .innerJoin("moderation_decisions as d", "d.id", "a.decision_id")
    .select(["a.owner_id", "a.status", "d.decided_by", "d.decision", "d.target_id"])
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("appeal.not_found"));
}
