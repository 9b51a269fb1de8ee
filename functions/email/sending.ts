import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import type { EmailProvider } from "@nectar/providers/email";
import { sql } from "kysely";
import type { NewMail, SentResponse } from "./schema.ts";

/** A mail that was counted and has its row. */
export interface PreparedMail {
  readonly id: string;
  /** The caller's own confirmed address. */
  readonly replyTo: string;
  /** Nothing is sent to this address. */
  readonly isSuppressed: boolean;
}

/** What counts a mail beside the mail itself. */
export interface Sending {
  /** See `requestKey`. */
  readonly requestKey: string | null;
  readonly now: Date;
}

/**
 * Counts a mail of the caller and makes its row; a request that began before and did not end gets the row that it had.
 * @throws AppError auth.unknown_account, email.sender_not_confirmed, email.recipient_not_allowed, or email.quota_exhausted with Retry-After
 */
export async function prepareMail(
  tx: Tx,
  { to, subject }: Pick<NewMail, "to" | "subject">,
  { requestKey, now }: Sending,
): Promise<PreparedMail> {
  const prepared = await maybeOne<{
    message_id: string;
    reply_to: string;
    is_suppressed: boolean;
    retry_after: number;
  }>(
    tx,
  )`select * from private.create_email_message(${to}, ${subject}, ${requestKey}::text, ${now.toISOString()}::timestamptz)`;
  if (prepared === undefined) throw new AppError("auth.unknown_account");
  if (prepared.retry_after > 0) {
    throw new AppError("email.quota_exhausted", {
      retryAfterSeconds: prepared.retry_after,
    });
  }
  return { id: prepared.message_id, replyTo: prepared.reply_to, isSuppressed: prepared.is_suppressed };
}

/**
 * Hands a mail to the provider, which sends it once for its id however often it is handed over.
 * @returns the provider's id of it, or null when the address is suppressed
 * @throws AppError provider.failed
 */
export async function sendMail(provider: EmailProvider, mail: NewMail, prepared: PreparedMail): Promise<string | null> {
  if (prepared.isSuppressed) return null;
  const { to, subject, html, text } = mail;
  const { id } = await provider.send({ to, subject, html, text, replyTo: prepared.replyTo, messageId: prepared.id });
  return id;
}

/** Records that the provider has the mail. */
export async function completeMail(tx: Tx, prepared: PreparedMail, providerId: string | null): Promise<SentResponse> {
  if (prepared.isSuppressed) return { success: true, message_id: prepared.id, status: "suppressed" };
  await sql`select private.record_email_result(${prepared.id}::uuid, ${providerId}::text)`.execute(tx);
  return { success: true, message_id: prepared.id, status: "sent" };
}

/** Records that the provider did not take the mail, or did not say so. It stays counted. */
export async function failMail(tx: Tx, prepared: PreparedMail): Promise<void> {
  await sql`select private.record_email_result(${prepared.id}::uuid, null)`.execute(tx);
}

/**
 * What tells a request that is tried again from another one, also when its stored answer was given up in between.
 * @returns null for a request without an Idempotency-Key: trying that again is another mail
 */
export function requestKey(idempotencyKey: string | undefined, bodyText: string): string | null {
  if (idempotencyKey === undefined) return null;
  return createHash("sha256")
    .update(JSON.stringify([idempotencyKey, bodyText]))
    .digest("hex");
}
