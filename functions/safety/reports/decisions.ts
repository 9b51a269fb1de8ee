import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import type { ModerationDecision, NewDecision } from "./schema.ts";

const MAX_SUSPENSION_MS = 365 * 24 * 3_600_000;

/**
 * Decides every open report of the thing that a report is about, for an admin.
 * @throws AppError 400 for a time out of range or a user to be hidden, 403 for an admin to be suspended, 404, 409 if the
 *   report is decided, if the admin must not decide about their own thing, or for a super admin to be suspended
 */
export async function decideReport(tx: Tx, id: string, input: NewDecision, now: Date): Promise<ModerationDecision> {
  const { suspend_until, ...given } = input;
  const suspendedUntil = suspend_until === undefined ? undefined : new Date(suspend_until);
  if (suspendedUntil !== undefined) requireInRange(suspendedUntil, now);
  const decision = JSON.stringify({ ...given, suspended_until: suspendedUntil });
  return value<ModerationDecision>(tx)`select private.decide_report(${id}, ${decision}::jsonb, ${now})`;
}

function requireInRange(until: Date, now: Date): void {
  const ms = until.getTime() - now.getTime();
  if (ms > 0 && ms <= MAX_SUSPENSION_MS) return;
  throw new AppError("request.invalid", {
    issues: [{ path: "suspend_until", message: "must be in the future, at most 365 days from now" }],
  });
}
