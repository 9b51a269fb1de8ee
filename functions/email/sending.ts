import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import type { EmailProvider } from "@nectar/providers/email";
import { sql } from "kysely";
import type { NewMail, SentResponse } from "./schema.ts";

/** A mail that was counted and has its row. */
export interface PreparedMail {
  readonly id: string;
  /** The caller's own confirmed address. */
  readonly replyTo: string;
  /** Whether the address receives no mail, so that nothing is sent. */
  readonly isSuppressed: boolean;
}

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
  const row = await one<{ message_id: string; reply_to: string; is_suppressed: boolean; retry_after: number }>(tx)`
    select * from private.create_email_message(
      ${to}, ${subject}, ${requestKey}::text, ${now.toISOString()}::timestamptz
    )
  `;
  if (row.retry_after > 0) throw new AppError("email.quota_exhausted", { retryAfterSeconds: row.retry_after });
  return { id: row.message_id, replyTo: row.reply_to, isSuppressed: row.is_suppressed };
}

/**
 * Sends a prepared mail. The provider sends it only once for its id, however often this is called.
 * @returns the provider's id of the mail, or null if its address is suppressed
 * @throws AppError provider.failed
 */
export async function sendMail(provider: EmailProvider, mail: NewMail, prepared: PreparedMail): Promise<string | null> {
  if (prepared.isSuppressed) return null;
  const { to, subject, html, text } = mail;
  const { id } = await provider.send({ to, subject, html, text, replyTo: prepared.replyTo, messageId: prepared.id });
  return id;
}

/** Records that the provider accepted the mail. */
export async function completeMail(tx: Tx, prepared: PreparedMail, providerId: string | null): Promise<SentResponse> {
  if (prepared.isSuppressed) return { success: true, message_id: prepared.id, status: "suppressed" };
  await sql`select private.record_email_result(${prepared.id}::uuid, ${providerId}::text)`.execute(tx);
  return { success: true, message_id: prepared.id, status: "sent" };
}

/** Records that the provider refused the mail or did not respond. It stays counted. */
export async function failMail(tx: Tx, prepared: PreparedMail): Promise<void> {
  await sql`select private.record_email_result(${prepared.id}::uuid, null)`.execute(tx);
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
