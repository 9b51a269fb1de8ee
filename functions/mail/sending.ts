import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { type PreparedMail, recordMailResult } from "#notifications/mail";
import type { NewMail, SentResponse } from "./schema.ts";

/**
 * Counts a mail of the caller and creates its row. A request that was cut off before keeps its row.
 * @param context.requestKey see `requestKey`
 * @throws AppError email.sender_not_confirmed, email.recipient_not_allowed, or email.quota_exhausted with Retry-After
 */
export async function prepareMail(
  tx: Tx,
  { to, subject }: Pick<NewMail, "to" | "subject">,
  { requestKey, now }: { readonly requestKey: string | null; readonly now: Date },
): Promise<PreparedMail> {
  const row = only(
    await call(tx, "create_email_message", { recipient: to, subject, request: requestKey, moment: now }),
  );
  if (row.retry_after > 0) throw new AppError("email.quota_exhausted", { retryAfterSeconds: row.retry_after });
  return { id: row.message_id, replyTo: row.reply_to, isSuppressed: row.is_suppressed };
}

/** Records that the provider accepted the mail. */
export async function completeMail(tx: Tx, prepared: PreparedMail, providerId: string | null): Promise<SentResponse> {
  if (prepared.isSuppressed) return { success: true, message_id: prepared.id, status: "suppressed" };
  await recordMailResult(tx, prepared, providerId);
  return { success: true, message_id: prepared.id, status: "sent" };
}

/**
 * Identifies a request that is repeated, even if its stored response was deleted in between.
 * @returns null for a request without an Idempotency-Key, which is another mail when repeated
 */
export function requestKey(idempotencyKey: string | undefined, bodyText: string): string | null {
  if (idempotencyKey === undefined) return null;
  return createHash("sha256")
    .update(JSON.stringify([idempotencyKey, bodyText]))
    .digest("hex");
}
