import { setTimeout as wait } from "node:timers/promises";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { ALREADY_RUNNING, type JobResponse, job } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import type { EmailProvider } from "#providers/email";
import { scheduleOf } from "../schedules.ts";
import { ReceivedMail, ReceivedText } from "./schema.ts";

const CALL_TIMEOUT_MS = 10_000;
/** Pause between two calls, in milliseconds: the provider allows five per second, and sending needs some. */
const PAUSE_MS = 500;
/** Longer than a run takes to end after its last search for due mails, in milliseconds. */
const RUN_END_MS = 1_000;
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

/** Stores a received mail as its event describes it. Its text is due to be fetched. */
export async function storeReceived(
  tx: Tx,
  event: ReceivedEvent,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { email_id, from, to, subject } = ReceivedMail.parse(data);
  const providerId = email_id ?? null;
  await tx
    .insertInto("private.email_received")
    .values({
      event_id: event.id,
      is_verified: event.isVerified,
      provider_id: providerId,
      sender: from,
      recipients: to,
      subject,
      content_due_at: providerId === null ? null : event.receivedAt.toISOString(),
    })
    .execute();
}

/** Runs the job after an event, also if a run has just ended without having seen the mail of the event. */
export async function fetchSoon(services: Services): Promise<JobResponse> {
  const response = await fetchReceived.run(services);
  if (response.message !== ALREADY_RUNNING) return response;
  await wait(RUN_END_MS);
  // If a run works now, it will search for mails again, or it began after this one was stored.
  return fetchReceived.run(services);
}

/**
 * Fetches the text of received mails, for up to 3 days. One run works at a time, because of the provider's rate limit. Each
 * mail is claimed before the call, so that a later run fetches it if this one is cut off.
 */
export const fetchReceived = job(scheduleOf("received-mail"), async ({ services, transaction, outOfTime }) => {
  const { clock, email: provider } = services;
  const results = { fetched: 0, failed: 0, given_up: await transaction((tx) => endOldAttempts(tx, clock.now())) };
  let failuresInARow = 0;
  for (let calls = 0; provider !== null && failuresInARow < MAX_FAILURES && !outOfTime(); calls += 1) {
    const mail = await transaction((tx) => claimNext(tx, clock.now()));
    if (mail === null) break;
    if (calls > 0) await wait(PAUSE_MS);
    try {
      if (await fetchText(services, provider, mail)) results.fetched += 1;
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
async function fetchText({ database, clock }: Services, provider: EmailProvider, mail: ClaimedMail): Promise<boolean> {
  const content = await provider.readReceived(mail.providerId, CALL_TIMEOUT_MS);
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
  const row = (await call(tx, "claim_received_email", { moment: now })).at(0);
  return row === undefined ? null : { id: row.id, providerId: row.provider_id, isVerified: row.is_verified };
}

async function endOldAttempts(tx: Tx, now: Date): Promise<number> {
  return call(tx, "expire_received_emails", { moment: now });
}
