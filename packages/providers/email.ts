import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { AppError } from "#core/errors";
import { type UnsubscribeLink, unsubscribeHeaders } from "#core/people/unsubscribe-token";
import { once } from "./once.ts";
import { pauseAfter } from "./retry-after.ts";

export interface Mail {
  readonly to: string;
  /** null: replies go to the sender of all mail. */
  readonly replyTo: string | null;
  readonly subject: string;
  /** At least one of html and text is not null. */
  readonly html: string | null;
  readonly text: string | null;
  /**
   * Our id of the mail, a UUID. The provider sends one mail per id and day, however often we try, and repeats the id in its
   * events about the mail.
   */
  readonly messageId: string;
}

export interface EmailProvider {
  /**
   * Sends a mail.
   * @returns the provider's id of the mail
   * @throws AppError provider.failed if the provider does not accept it in time
   */
  send(mail: Mail): Promise<{ readonly id: string }>;
  /**
   * Reads a received mail, whose text is not in its event.
   * @param id the provider's id of the mail, a UUID
   * @returns null if the provider does not know the mail
   * @throws AppError provider.failed if the provider does not respond as expected
   */
  readReceived(id: string, timeoutMs: number): Promise<ReceivedContent | null>;
}

/** A received mail as the provider stores it. */
export interface ReceivedContent {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Its images are references (`cid:`) to attachments, which we do not fetch. */
  readonly html: string | null;
  readonly text: string | null;
}

export interface ResendOptions {
  readonly apiKey: string;
  /** Address of another server with Resend's API; null for Resend's own. */
  readonly baseUrl: string | null;
  /** Sender of all mail. */
  readonly from: string;
  /** Null if mails have no link to unsubscribe. */
  readonly unsubscribe: UnsubscribeLink | null;
  /** How long sending a mail may take, in milliseconds; 10 seconds by default. */
  readonly sendTimeoutMs?: number;
}

/** The tag with our id of a mail, which the provider repeats in its events. */
export const MESSAGE_TAG = "nectar_message";

/** Timeout for sending a mail, in milliseconds. */
const SEND_TIMEOUT_MS = 10_000;
/** Pause after a rate limit without a `retry-after`, in milliseconds. */
const DEFAULT_PAUSE_MS = 1_000;

const Received = z.object({
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
});

/** Mail by Resend. Its SDK is loaded on first use. */
export function resendEmail(options: ResendOptions): EmailProvider {
  const { apiKey, baseUrl, from, unsubscribe, sendTimeoutMs = SEND_TIMEOUT_MS } = options;
  const connected = once(async () => {
    const { Resend } = await import("resend");
    return new Resend(apiKey, baseUrl === null ? {} : { baseUrl });
  });
  return {
    async send({ to, replyTo, subject, html, text, messageId }) {
      const resend = await connected();
      const body = html === null ? { text: text ?? "" } : { html, ...(text === null ? {} : { text }) };
      const tags = [{ name: MESSAGE_TAG, value: messageId }];
      const { data } = await whileBusy(sendTimeoutMs, (signal) =>
        resend.emails.send(
          {
            from,
            to,
            ...(replyTo === null ? {} : { replyTo }),
            subject,
            tags,
            ...body,
            ...(unsubscribe && { headers: unsubscribeHeaders(to, unsubscribe) }),
          },
          // With the same key, another attempt sends no second mail.
          { idempotencyKey: messageId, signal },
        ),
      );
      if (data === null) throw new AppError("provider.failed");
      return { id: data.id };
    },
    async readReceived(id, timeoutMs) {
      const resend = await connected();
      const { data, error } = await whileBusy(timeoutMs, (signal) =>
        resend.emails.receiving.get(id, { html_format: "cid" }, { signal }),
      );
      if (error?.name === "not_found") return null;
      const mail = Received.safeParse(data);
      if (!mail.success) throw new AppError("provider.failed");
      return mail.data;
    },
  };
}

/** Fields that the responses of all calls of the SDK have in common. */
interface SdkResponse {
  readonly error: { readonly name: string } | null;
  readonly headers: Readonly<Record<string, string>> | null;
}

/**
 * Calls the provider, and again after a pause while it refuses calls because of its rate limit, which counts all calls of
 * our account.
 * @returns the first other response
 * @throws AppError provider.failed after the timeout, or instead of the SDK's error, whose message may quote the mail
 */
async function whileBusy<Response extends SdkResponse>(
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    for (;;) {
      const response = await call(signal);
      if (response.error?.name !== "rate_limit_exceeded") return response;
      await wait(pauseAfter(response.headers?.["retry-after"], DEFAULT_PAUSE_MS), undefined, { signal });
    }
  } catch {
    throw new AppError("provider.failed");
  }
}

/** A request of the provider's webhook: its body exactly as sent, and the headers with its signature. */
export interface SignedBody {
  readonly body: string;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/**
 * Checks that the provider signed an event within the last five minutes.
 * @param secret signing secret of the webhook, `whsec_` and base64
 * @throws AppError email.invalid_signature, or provider.not_configured if the secret is malformed
 */
export async function verifyEmailEvent(secret: string, { body, id, timestamp, signature }: SignedBody): Promise<void> {
  const { Resend } = await import("resend");
  // The SDK demands an API key, although verifying does not need one.
  const { webhooks } = new Resend("re_unused");
  try {
    webhooks.verify({
      payload: body,
      headers: { id: id ?? "", timestamp: timestamp ?? "", signature: signature ?? "" },
      webhookSecret: secret,
    });
  } catch (error) {
    // The SDK parses the body after verifying it. The caller reports a body that is not JSON.
    if (error instanceof SyntaxError) return;
    if (error instanceof Error && error.name === "WebhookVerificationError") {
      throw new AppError("email.invalid_signature");
    }
    throw new AppError("provider.not_configured");
  }
}
