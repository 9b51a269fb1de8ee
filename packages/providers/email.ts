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
  /** The same key sends one mail, however often it is tried (the provider remembers it for a day). */
  readonly idempotencyKey: string;
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

const TIMEOUT_MS = 10_000;

/** Mail by Resend. Its SDK is loaded on first use. */
export function resendEmail({ apiKey, baseUrl, from }: ResendOptions): EmailProvider {
  let client: Promise<Resend> | undefined;
  return {
    async send({ to, replyTo, subject, html, text, idempotencyKey }) {
      client ??= import("resend").then(({ Resend }) => new Resend(apiKey, baseUrl === null ? {} : { baseUrl }));
      const resend = await client;
      const body = html === null ? { text: text ?? "" } : { html, ...(text === null ? {} : { text }) };
      try {
        const { data } = await resend.emails.send(
          { from, to, replyTo, subject, ...body },
          { idempotencyKey, signal: AbortSignal.timeout(TIMEOUT_MS) },
        );
        if (data !== null) return { id: data.id };
      } catch {
        // What the SDK says may quote the mail.
      }
      throw new AppError("provider.failed", "The mail could not be handed over.");
    },
  };
}
