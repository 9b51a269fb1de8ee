import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";
import type { Resend } from "resend";
import * as z from "zod";
import { pauseAfter } from "./retry-after.ts";

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
   * @throws AppError provider.failed when the provider does not accept it
   */
  send(mail: Mail): Promise<{ readonly id: string }>;
  /**
   * Reads a mail to us. Its event does not bring the text.
   * @param id the provider's id of the mail, a UUID
   * @param timeoutMs how long the provider may take, in milliseconds
   * @returns null when the provider does not know the mail
   * @throws AppError provider.failed when the provider does not respond as expected
   */
  readReceived(id: string, timeoutMs: number): Promise<ReceivedContent | null>;
}

/** A mail to us as the provider has it. */
export interface ReceivedContent {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Images inside it are references (`cid:`) to attachments, which we do not fetch. */
  readonly html: string | null;
  readonly text: string | null;
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

/** How long handing over a mail may take in all, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long to wait when the provider is busy and does not say for how long, in milliseconds. */
const DEFAULT_PAUSE_MS = 1_000;

const Received = z.object({
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
});

/** Mail by Resend. Its SDK is loaded on first use. */
export function resendEmail({ apiKey, baseUrl, from }: ResendOptions): EmailProvider {
  let client: Promise<Resend> | undefined;
  const connected = () => {
    client ??= import("resend").then(({ Resend }) => new Resend(apiKey, baseUrl === null ? {} : { baseUrl }));
    return client;
  };
  return {
    async send({ to, replyTo, subject, html, text, messageId }) {
      const resend = await connected();
      const body = html === null ? { text: text ?? "" } : { html, ...(text === null ? {} : { text }) };
      const tags = [{ name: MESSAGE_TAG, value: messageId }];
      const { data } = await whileBusy(TIMEOUT_MS, (signal) =>
        resend.emails.send(
          { from, to, replyTo, subject, tags, ...body },
          // The key makes it safe to try again: one mail is sent.
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

/** A response of the SDK, as far as all calls have it alike. */
interface SdkResponse {
  readonly error: { readonly name: string } | null;
  readonly headers: Readonly<Record<string, string>> | null;
}

/**
 * Calls the provider, again after a pause while it refuses calls because there were too many in this second: its limit is
 * one for everything that our account does.
 * @returns the first response that is no such refusal
 * @throws AppError provider.failed when the time is up, or the SDK throws, whose message may quote the mail
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
      throw new AppError("email.invalid_signature");
    }
    throw new AppError("provider.not_configured");
  }
}
