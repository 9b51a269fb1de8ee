import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { EmailProvider } from "#providers/email";

/** A mail that was counted and has its row. */
export interface PreparedMail {
  readonly id: string;
  /** The caller's own confirmed address. */
  readonly replyTo: string;
  /** Whether the address receives no mail, so that nothing is sent. */
  readonly isSuppressed: boolean;
}

/** A mail with its address and text. At least one of html and text is not null. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

/**
 * Sends a prepared mail. The provider sends it only once for its id, however often this is called.
 * @returns the provider's id of the mail, or null if its address is suppressed
 * @throws AppError provider.failed
 */
export async function sendMail(
  provider: EmailProvider,
  { to, subject, html, text }: MailContent,
  prepared: PreparedMail,
): Promise<string | null> {
  if (prepared.isSuppressed) return null;
  const { id } = await provider.send({ to, subject, html, text, replyTo: prepared.replyTo, messageId: prepared.id });
  return id;
}

/**
 * Records the result of sending a mail, which stays counted.
 * @param providerId the provider's id of the mail; null if the provider refused it or did not respond
 */
export async function recordMailResult(tx: Tx, { id }: PreparedMail, providerId: string | null): Promise<void> {
  await call(tx, "record_email_result", { message: id, provider: providerId });
}
