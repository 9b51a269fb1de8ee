import { setTimeout as wait } from "node:timers/promises";
import type { Tx } from "@nectar/database/database";
import { maybeOne, value } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import type { EmailProvider } from "@nectar/providers/email";
import { scheduleOf } from "../schedules.ts";
import { ReceivedMail, ReceivedText } from "./schema.ts";

/** How long the webhook waits for the text before it responds, in milliseconds; the job tries again. */
const WEBHOOK_TIMEOUT_MS = 5_000;
const JOB_TIMEOUT_MS = 10_000;
/** How long a claim of the webhook lasts, in milliseconds. If the webhook was cut off, the job tries after that. */
const CLAIM_MS = 120_000;
/** Pause between two calls of the job, in milliseconds: the provider allows five per second, and sending needs some. */
const JOB_PAUSE_MS = 500;
/** After this many failures in a row the job stops until its next run. */
const MAX_FAILURES = 3;

/** An event, beside its body. */
export interface ReceivedEvent {
  readonly id: string;
  /** Whether the provider signed it. */
  readonly isVerified: boolean;
  readonly receivedAt: Date;
}

/** A received mail whose text is to be fetched. */
interface ClaimedMail {
  readonly id: string;
  readonly providerId: string;
  readonly isVerified: boolean;
}

/**
 * Stores a received mail as its event describes it.
 * @returns the mail if its text is to be fetched now; null for an unverified event, whose text is left to the slower job:
 *   otherwise forged events could exhaust the provider's rate limit
 */
export async function storeReceived(
  tx: Tx,
  event: ReceivedEvent,
  data: Readonly<Record<string, unknown>>,
): Promise<ClaimedMail | null> {
  const { email_id, from, to, subject } = ReceivedMail.parse(data);
  const providerId = email_id ?? null;
  const isClaimed = event.isVerified && providerId !== null;
  const dueAt = new Date(event.receivedAt.getTime() + (isClaimed ? CLAIM_MS : 0));
  const { id } = await tx
    .insertInto("private.email_received")
    .values({
      event_id: event.id,
      is_verified: event.isVerified,
      provider_id: providerId,
      sender: from,
      recipients: to,
      subject,
      content_due_at: providerId === null ? null : dueAt.toISOString(),
      content_attempts: isClaimed ? 1 : 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return isClaimed ? { id, providerId, isVerified: true } : null;
}

/** Fetches the text right after the event. After a failure the job tries again. */
export async function fetchNow(services: Services, mail: ClaimedMail): Promise<void> {
  if (services.email === null) return;
  try {
    await fetchText(services, services.email, mail, WEBHOOK_TIMEOUT_MS);
  } catch {
    // Without the error, which may quote the mail.
    services.logger.warn({ mail_id: mail.id }, "the text of a received mail could not be fetched yet");
  }
}

/**
 * Fetches the text of received mails for which the webhook failed, for up to 3 days. Each mail is claimed before the call,
 * so that two runs do not fetch the same one, and a later run fetches it if this one is cut off.
 */
export const fetchReceived = job(scheduleOf("received-mail"), async ({ services, transaction, outOfTime }) => {
  const { clock, email: provider } = services;
  const results = { fetched: 0, failed: 0, given_up: await transaction((tx) => endOldAttempts(tx, clock.now())) };
  let failuresInARow = 0;
  for (let calls = 0; provider !== null && failuresInARow < MAX_FAILURES && !outOfTime(); calls += 1) {
    const mail = await transaction((tx) => claimNext(tx, clock.now()));
    if (mail === null) break;
    if (calls > 0) await wait(JOB_PAUSE_MS);
    try {
      if (await fetchText(services, provider, mail, JOB_TIMEOUT_MS)) results.fetched += 1;
      else results.failed += 1;
      failuresInARow = 0;
    } catch {
      results.failed += 1;
      failuresInARow += 1;
    }
  }
  return results;
});

/** @returns false if the provider does not know the mail @throws AppError provider.failed */
async function fetchText(
  { database, clock }: Services,
  provider: EmailProvider,
  mail: ClaimedMail,
  timeoutMs: number,
): Promise<boolean> {
  const content = await provider.readReceived(mail.providerId, timeoutMs);
  if (content === null) {
    // An unverified event may name a mail that never existed.
    if (!mail.isVerified) await database.asService((tx) => endAttempts(tx, mail));
    return false;
  }
  const { from, to, subject } = ReceivedMail.parse(content);
  const { text, html } = ReceivedText.parse(content);
  await database.asService((tx) =>
    tx
      .updateTable("private.email_received")
      .set({
        sender: from,
        recipients: to,
        subject,
        body_text: text,
        body_html: html,
        content_due_at: null,
        content_fetched_at: clock.now().toISOString(),
      })
      .where("id", "=", mail.id)
      .where("content_fetched_at", "is", null)
      .execute(),
  );
  return true;
}

async function endAttempts(tx: Tx, { id }: ClaimedMail): Promise<void> {
  await tx.updateTable("private.email_received").set({ content_due_at: null }).where("id", "=", id).execute();
}

async function claimNext(tx: Tx, now: Date): Promise<ClaimedMail | null> {
  const row = await maybeOne<{ id: string; provider_id: string; is_verified: boolean }>(tx)`
    select * from private.claim_received_email(${now.toISOString()}::timestamptz)
  `;
  return row === undefined ? null : { id: row.id, providerId: row.provider_id, isVerified: row.is_verified };
}

async function endOldAttempts(tx: Tx, now: Date): Promise<number> {
  return value<number>(tx)`select private.expire_received_emails(${now.toISOString()}::timestamptz)`;
}
