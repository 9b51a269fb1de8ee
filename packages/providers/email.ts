import { AppError } from "@nectar/core/errors";
import type { Resend } from "resend";

/** One mail to one address. */
export interface Mail {
  readonly to: string;
  readonly replyTo: string;
  readonly subject: string;
  /** At least one of the two bodies is there. */
  readonly html: string | null;
  readonly text: string | null;
  /**
   * Our id of the mail, a UUID. The same id sends one mail, however often it is tried (the provider remembers it for a
   * day), and comes back in the events that concern the mail.
   */
  readonly messageId: string;
}

/** The mail provider. */
export interface EmailProvider {
  /**
   * Hands a mail to the provider.
   * @returns the provider's id of the mail
   * @throws AppError provider.failed when the provider does not take it
   */
  send(mail: Mail): Promise<{ readonly id: string }>;
}

/** How to reach Resend. */
export interface ResendOptions {
  readonly apiKey: string;
  /** Address of another server that speaks Resend's protocol; null for Resend's own. */
  readonly baseUrl: string | null;
  /** Sender of all mail. */
  readonly from: string;
}

/** The tag that carries our id of a mail to the provider and back. */
export const MESSAGE_TAG = "nectar_message";

const TIMEOUT_MS = 10_000;

/** Mail by Resend. Its SDK is loaded on first use. */
export function resendEmail({ apiKey, baseUrl, from }: ResendOptions): EmailProvider {
  let client: Promise<Resend> | undefined;
  return {
    async send({ to, replyTo, subject, html, text, messageId }) {
      client ??= import("resend").then(({ Resend }) => new Resend(apiKey, baseUrl === null ? {} : { baseUrl }));
      const resend = await client;
      const body = html === null ? { text: text ?? "" } : { html, ...(text === null ? {} : { text }) };
      const tags = [{ name: MESSAGE_TAG, value: messageId }];
      try {
        const { data } = await resend.emails.send(
          { from, to, replyTo, subject, tags, ...body },
          { idempotencyKey: messageId, signal: AbortSignal.timeout(TIMEOUT_MS) },
        );
        if (data !== null) return { id: data.id };
      } catch {
        // What the SDK says may quote the mail.
      }
      throw new AppError("provider.failed", "The mail could not be handed over.");
    },
  };
}

/** A request of the provider's webhook: its body exactly as it came, and the headers that sign it. */
export interface SignedBody {
  readonly body: string;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/**
 * Checks that an event is really the provider's and was sent within the last five minutes.
 * @param secret signing secret of the webhook, `whsec_` and base64
 * @throws AppError email.invalid_signature, or provider.not_configured when the secret is none
 */
export async function verifyEmailEvent(secret: string, { body, id, timestamp, signature }: SignedBody): Promise<void> {
  const { Resend } = await import("resend");
  // The SDK asks for a key of its API, which checking needs not.
  const { webhooks } = new Resend("re_unused");
  try {
    webhooks.verify({
      payload: body,
      headers: { id: id ?? "", timestamp: timestamp ?? "", signature: signature ?? "" },
      webhookSecret: secret,
    });
  } catch (error) {
    // The SDK parses what it has verified; what is no JSON is for the caller to find.
    if (error instanceof SyntaxError) return;
    if (error instanceof Error && error.name === "WebhookVerificationError") {
      throw new AppError("email.invalid_signature", "The signature of the event is missing, wrong or too old.");
    }
    throw new AppError("provider.not_configured", "The secret of mail events cannot be used.");
  }
}
