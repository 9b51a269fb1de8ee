import { setTimeout as wait } from "node:timers/promises";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import { type Claim, claimNextWork, endWork } from "#database/work";
import { ALREADY_RUNNING, type JobResponse, job } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import type { EmailProvider } from "#providers/email";
import { scheduleOf } from "../../schedules.ts";
import { ReceivedMail, ReceivedText } from "./schema.ts";

/** Work whose key is the provider's id of a mail: of events that it signed, and of others, which come after those. */
const [VERIFIED, UNVERIFIED] = ["received-mail", "unverified-mail"];
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

/** Stores a received mail as its event describes it. Its text is due to be fetched. */
export async function storeReceived(
  tx: Tx,
  event: ReceivedEvent,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { email_id, from, to, subject } = ReceivedMail.parse(data);
  const { id: event_id, isVerified: is_verified, receivedAt: dueAt } = event;
  await tx
    .insertInto("private.email_received")
    .values({ event_id, is_verified, provider_id: email_id ?? null, sender: from, recipients: to, subject })
    .execute();
  if (email_id) await call(tx, "add_work", { kind: is_verified ? VERIFIED : UNVERIFIED, key: email_id, dueAt });
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
    const claim = await transaction((tx) => claimNext(tx, clock.now()));
    if (claim === undefined) break;
    if (calls > 0) await wait(PAUSE_MS);
    try {
      if (await fetchText(services, provider, claim)) results.fetched += 1;
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
async function fetchText({ database, clock }: Services, provider: EmailProvider, claim: Claim): Promise<boolean> {
  const content = await provider.readReceived(claim.key, CALL_TIMEOUT_MS);
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
      .where("provider_id", "=", claim.key)
      .where("is_verified", "=", claim.kind === VERIFIED)
      .where("content_fetched_at", "is", null)
      .execute();
    await endWork(tx, claim);
  });
  return true;
}

async function claimNext(tx: Tx, now: Date): Promise<Claim | undefined> {
  return (await claimNextWork(tx, VERIFIED, now)) ?? claimNextWork(tx, UNVERIFIED, now);
}

/** Ends the attempts for mails that came too long ago, or were deleted since. @returns how many there were */
async function endOldAttempts(tx: Tx, now: Date): Promise<number> {
  const ended = await all(tx)`
    delete from private.work w where w.kind in (${VERIFIED}, ${UNVERIFIED}) and not exists (
      select from private.email_received r
      where r.provider_id = w.key and r.created_at > ${now.toISOString()}::timestamptz - make_interval(days => ${MAX_DAYS})
    )
    returning w.key
  `;
  return ended.length;
}
