import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { hasOtherAdmin, requireAdmin } from "../admins.ts";
import { MAX_SUSPENSION_DAYS, type ModerationDecision, type NewDecision } from "./schema.ts";

const MAX_SUSPENSION_MS = MAX_SUSPENSION_DAYS * 24 * 3_600_000;

/**
 * Decides every open report of the thing that a report is about, for an admin, in a transaction of the service.
 * @throws AppError 400 for a time out of range or a user to be hidden, 403 for an admin to be suspended, 404, 409 if the
 *   report is decided, if the admin must not decide about their own thing, or for a super admin to be suspended
 */
export async function decideReport(
  tx: Tx,
  adminId: string,
  id: string,
  { decision, reason, suspend_until }: NewDecision,
  now: Date,
): Promise<ModerationDecision> {
  const suspendedUntil = suspend_until === undefined ? null : new Date(suspend_until);
  if (suspendedUntil !== null) requireInRange(suspendedUntil, now);
  const role = await requireAdmin(tx, adminId);
  const { target_type } = await findReport(tx, id);
  if (decision === "hide" && target_type === "user") throw new AppError("report.user_cannot_be_hidden");
  const reporters = await call(tx, "lock_report", { reportId: id });
  // Again, because it may have been decided, or deleted with an account, before it was locked.
  const { owner_id, owner_role, status } = await findReport(tx, id);
  if (decision === "suspend" && owner_role === "admin" && role !== "super_admin") throw new AppError("auth.forbidden");
  if (decision === "suspend" && owner_role === "super_admin") throw new AppError("report.super_admin_not_suspended");
  if (owner_id === adminId && (await hasOtherAdmin(tx, adminId))) throw new AppError("report.own_case");
  if (status !== "open") throw new AppError("report.already_decided");
  const decisionId = await call(tx, "record_decision", {
    reportId: id,
    reporters,
    decision,
    reason,
    suspendedUntil,
    decidedBy: adminId,
    moment: now,
  });
  return one<ModerationDecision>(tx)`
    select id, target_type, target_id, decision, reason, false as automated, decided_at, suspended_until
    from moderation_decisions where id = ${decisionId}
  `;
}

async function findReport(tx: Tx, id: string) {
  return tx
    .selectFrom("reports as r")
    .leftJoin("user_roles as o", "o.user_id", "r.owner_id")
    .select(["r.target_type", "r.owner_id", "r.status", "o.role as owner_role"])
    .where("r.id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("report.not_found"));
}

function requireInRange(until: Date, now: Date): void {
  const ms = until.getTime() - now.getTime();
  if (ms > 0 && ms <= MAX_SUSPENSION_MS) return;
  throw new AppError("request.invalid", {
    issues: [{ path: "suspend_until", message: `must be in the future, at most ${MAX_SUSPENSION_DAYS} days from now` }],
  });
}
