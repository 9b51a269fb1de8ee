import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { type Claim, claimNextWork, endWork } from "#database/work";
import { ALREADY_RUNNING, type JobResponse, job } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import type { EmailProvider } from "#providers/email";
import { scheduleOf } from "../schedules.ts";
import { ReceivedMail, ReceivedText } from "./schema.ts";

/** Fetching the text of a mail whose event the provider signed. */
const VERIFIED = "received-mail";
/** The same for other events, which comes after those. */
const UNVERIFIED = "unverified-mail";
/** A text is tried again after 2, 4, 8 minutes and so on, at most after 6 hours. */
const CLAIMED = { seconds: 120, maxSeconds: 6 * 3_600 };
const MAX_DAYS = 3;

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

/** A received mail whose text is to be fetched: its id is the key of the claim. */
interface ClaimedMail {
  readonly claim: Claim;
  readonly providerId: string;
}

/** Stores a received mail as its event describes it. Its text is due to be fetched. */
export async function storeReceived(
  tx: Tx,
  event: ReceivedEvent,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { email_id, from, to, subject } = ReceivedMail.parse(data);
  const providerId = email_id ?? null;
  const { id } = await tx
    .insertInto("private.email_received")
    .values({
      event_id: event.id,
      is_verified: event.isVerified,
      provider_id: providerId,
      sender: from,
      recipients: to,
      subject,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (providerId === null) return;
  await call(tx, "add_work", { kind: event.isVerified ? VERIFIED : UNVERIFIED, key: id, dueAt: event.receivedAt });
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
 * Fetches the text of received mails, for up to three days. One run works at a time, because of the provider's rate limit. Each
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
async function fetchText(
  { database, clock }: Services,
  provider: EmailProvider,
  { claim, providerId }: ClaimedMail,
): Promise<boolean> {
  const content = await provider.readReceived(providerId, CALL_TIMEOUT_MS);
  if (content === null) {
    // An unverified event may name a mail that never existed.
    if (claim.kind === UNVERIFIED) await database.asService((tx) => endWork(tx, claim));
    return false;
  }
  const { from, to, subject } = ReceivedMail.parse(content);
  const { text, html } = ReceivedText.parse(content);
  await database.asService(async (tx) => {
    await tx
      .updateTable("private.email_received")
      .set({
        sender: from,
        recipients: to,
        subject,
        body_text: text,
        body_html: html,
        content_fetched_at: clock.now().toISOString(),
      })
      .where("id", "=", claim.key)
      .where("content_fetched_at", "is", null)
      .execute();
    await endWork(tx, claim);
  });
  return true;
}

async function claimNext(tx: Tx, now: Date): Promise<ClaimedMail | null> {
  const claim =
    (await claimNextWork(tx, VERIFIED, now, CLAIMED)) ?? (await claimNextWork(tx, UNVERIFIED, now, CLAIMED));
  if (claim === undefined) return null;
  const mail = await tx
    .selectFrom("private.email_received")
    .select("provider_id")
    .where("id", "=", claim.key)
    .executeTakeFirst();
  if (mail !== undefined && mail.provider_id !== null) return { claim, providerId: mail.provider_id };
  // It was deleted with the account of its sender.
  await endWork(tx, claim);
  return claimNext(tx, now);
}

/** Ends the attempts for mails that came too long ago. @returns how many there were */
async function endOldAttempts(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    delete from private.work w using private.email_received r
    where w.kind in (${VERIFIED}, ${UNVERIFIED}) and r.id::text = w.key
      and r.created_at <= ${now.toISOString()}::timestamptz - make_interval(days => ${MAX_DAYS})
    returning w.key
  `.execute(tx);
  return rows.length;
}
