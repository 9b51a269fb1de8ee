import type { Tx } from "@nectar/database/database";
import { RESPONSE_KEPT_HOURS } from "@nectar/http/idempotency";
import { job } from "@nectar/http/jobs";
import { sql } from "kysely";
import { scheduleOf } from "../schedules.ts";
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
export const housekeeping = job(scheduleOf("housekeeping"), async (context) => {
  const remove = async (work: (tx: Tx) => Promise<number>) =>
    (await context.forEachSlice(SLICE, async (tx) => ({ seen: await work(tx), counts: {} }))).seen;
  return {
    answers: await remove(removeExpiredAnswers),
    job_runs: await remove(older(JOB_RUNS)),
    push_deliveries: await remove(older(DELIVERIES)),
    mails: await remove(older(MAILS)),
    // Before its events: one that came again would otherwise be news whose mail is there already.
    mails_received: await remove(older(MAILS_RECEIVED)),
    mail_events: await remove(older(MAIL_EVENTS)),
    ...(await removeUnownedFiles(context.services, context)),
  };
});

async function removeExpiredAnswers(tx: Tx): Promise<number> {
  // The service may see nothing of an answer but its age, so a slice is what is older than the newest of the oldest rows.
  const { numAffectedRows } = await sql`
    delete from private.idempotency_keys
    where created_at <= (
      select max(oldest.created_at)
      from (
        select o.created_at from private.idempotency_keys o
        where o.created_at < now() - make_interval(hours => ${RESPONSE_KEPT_HOURS})
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
