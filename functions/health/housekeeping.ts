import type { Tx } from "@nectar/database/database";
import { KEPT_HOURS } from "@nectar/http/idempotency";
import { type JobContext, type JobResponse, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import { removeUnownedFiles } from "./stored-files.ts";

/** Rows that one transaction removes, so that no slice holds its locks for long. */
const SLICE = 5_000;
/** The history of jobs. */
const JOB_RUNS = { table: "private.job_runs", key: ["id"], since: "started_at", days: 90 } as const;
/** What was pushed to whom; nothing is pushed any more after a day. */
const DELIVERIES = {
  table: "private.push_deliveries",
  key: ["notification_id", "subscription_id"],
  since: "created_at",
  days: 7,
} as const;
/**
 * Sent mails (quotas look back a day, deliveries are told of for a few), mail to us and events. The database lets nobody
 * remove younger ones.
 */
const MAIL = { since: "created_at", days: 30 } as const;
const MAILS = { ...MAIL, table: "private.email_messages", key: ["id"] } as const;
const MAILS_RECEIVED = { ...MAIL, table: "private.email_received", key: ["id"] } as const;
const MAIL_EVENTS = { ...MAIL, table: "private.email_events", key: ["id", "is_verified"] } as const;

/**
 * Removes stored answers (they may hold journal text), job runs, push deliveries and mail whose time is over, and files
 * that no row owns. Running it twice changes nothing.
 */
export function housekeep(services: Services): Promise<JobResponse> {
  return runJob(services, { job: "housekeeping", key: "all" }, async (context) => {
    const answers = await inSlices(context, removeExpiredAnswers);
    const jobRuns = await inSlices(context, older(JOB_RUNS));
    const pushDeliveries = await inSlices(context, older(DELIVERIES));
    const mails = await inSlices(context, older(MAILS));
    // Before its events: one that came again would otherwise be news whose mail is there already.
    const mailsReceived = await inSlices(context, older(MAILS_RECEIVED));
    const mailEvents = await inSlices(context, older(MAIL_EVENTS));
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

/** Rows of a table that are kept for a number of days. */
interface Kept {
  readonly table:
    | "private.job_runs"
    | "private.push_deliveries"
    | "private.email_messages"
    | "private.email_received"
    | "private.email_events";
  /** The columns that name a row. */
  readonly key: readonly string[];
  /** The column that tells how old it is. */
  readonly since: "created_at" | "started_at";
  readonly days: number;
}

/** Removes a slice of the rows whose days are over. */
function older({ table, key, since, days }: Kept): (tx: Tx) => Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return async (tx) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where (${columns}) in (
        select ${columns} from ${sql.table(table)}
        where ${sql.ref(since)} < now() - make_interval(days => ${days})
        limit ${SLICE}
      )
    `.execute(tx);
    return Number(numAffectedRows ?? 0);
  };
}
