import type { Tx } from "@nectar/database/database";
import { KEPT_HOURS } from "@nectar/http/idempotency";
import { type JobAnswer, type JobContext, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import { removeUnownedFiles } from "./stored-files.ts";

/** Rows that one transaction removes, so that no slice holds its locks for long. */
const SLICE = 5_000;
/** How long the history of jobs is kept. */
const JOB_RUNS_KEPT_DAYS = 90;
/** How long it is known what was pushed to whom; nothing is pushed any more after a day. */
const DELIVERIES_KEPT_DAYS = 7;
/**
 * How long sent mails (quotas look back a day, deliveries are told of for a few), mail to us and events are kept. The
 * database lets nobody remove younger ones.
 */
const MAIL_KEPT_DAYS = 30;

/**
 * Removes stored answers (they may hold journal text), job runs, push deliveries and mail whose time is over, and files
 * that no row owns. Running it twice changes nothing.
 */
export function housekeep(services: Services): Promise<JobAnswer> {
  return runJob(services, { job: "housekeeping", key: "all" }, async (context) => {
    const answers = await inSlices(context, removeExpiredAnswers);
    const jobRuns = await inSlices(context, removeOldJobRuns);
    const pushDeliveries = await inSlices(context, removeOldDeliveries);
    const mails = await inSlices(context, removeOldMails);
    // Before its events: one that came again would otherwise be news whose mail is there already.
    const mailsReceived = await inSlices(context, removeOldReceivedMails);
    const mailEvents = await inSlices(context, removeOldMailEvents);
    const files = await removeUnownedFiles(services, context);
    return {
      answers,
      job_runs: jobRuns,
      push_deliveries: pushDeliveries,
      mails,
      mails_received: mailsReceived,
      mail_events: mailEvents,
      files: files.removed,
      files_left: files.left,
    };
  });
}

/** Removes slice by slice until nothing is left or the time is up; the next run goes on. */
async function inSlices(context: JobContext, remove: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  let removed: number;
  do {
    removed = await context.slice(remove);
    total += removed;
  } while (removed >= SLICE && !context.outOfTime());
  return total;
}

async function removeExpiredAnswers(tx: Tx): Promise<number> {
  // The service may see nothing of an answer but its age, so a slice is what is older than the newest of the oldest rows.
  const { numAffectedRows } = await sql`
    delete from private.idempotency_keys
    where created_at <= (
      select max(oldest.created_at)
      from (
        select o.created_at from private.idempotency_keys o
        where o.created_at < now() - make_interval(hours => ${KEPT_HOURS})
        order by o.created_at
        limit ${SLICE}
      ) oldest
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function removeOldJobRuns(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from private.job_runs r
    where r.id in (
      select o.id from private.job_runs o
      where o.started_at < now() - make_interval(days => ${JOB_RUNS_KEPT_DAYS})
      limit ${SLICE}
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function removeOldDeliveries(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from private.push_deliveries d
    where (d.notification_id, d.subscription_id) in (
      select o.notification_id, o.subscription_id from private.push_deliveries o
      where o.created_at < now() - make_interval(days => ${DELIVERIES_KEPT_DAYS})
      limit ${SLICE}
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function removeOldMails(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from private.email_messages m
    where m.id in (
      select o.id from private.email_messages o
      where o.created_at < now() - make_interval(days => ${MAIL_KEPT_DAYS})
      limit ${SLICE}
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function removeOldReceivedMails(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from private.email_received m
    where m.id in (
      select o.id from private.email_received o
      where o.created_at < now() - make_interval(days => ${MAIL_KEPT_DAYS})
      limit ${SLICE}
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function removeOldMailEvents(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from private.email_events e
    where (e.id, e.is_verified) in (
      select o.id, o.is_verified from private.email_events o
      where o.created_at < now() - make_interval(days => ${MAIL_KEPT_DAYS})
      limit ${SLICE}
    )
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}
