import { call } from "@nectar/database/call";
import type { Tx } from "@nectar/database/database";
import { RESPONSE_KEPT_HOURS } from "@nectar/http/idempotency";
import { job } from "@nectar/http/jobs";
import { sql } from "kysely";
import { scheduleOf } from "../schedules.ts";
import { reportLateJobs } from "./jobs.ts";
import { warnOfShutdowns } from "./models.ts";
import { removeUnownedFiles } from "./stored-files.ts";

/** Rows that one transaction deletes, so that it does not keep its locks for long. */
const SLICE = 5_000;

/** How long the rows of a table are kept, by the name of their count in the results. */
interface Retention {
  readonly table: `${"nectar" | "private"}.${string}`;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The time from which a row is kept for these days. */
  readonly since: string;
  readonly days: number;
  /** A column that is null in these rows. */
  readonly without?: string;
}

/** Everything that housekeeping deletes by its age, apart from stored responses and files. docs/privacy.md lists it. */
export const RETENTIONS: Readonly<Record<string, Retention>> = {
  job_runs: { table: "private.job_runs", key: ["id"], since: "started_at", days: 90 },
  entry_reads: { table: "private.entry_reads", key: ["id"], since: "created_at", days: 365 },
  // The database forbids deleting younger ones, as it does with imports.
  exports: { table: "nectar.exports", key: ["id"], since: "created_at", days: 30 },
  invitations: { table: "nectar.invitations", key: ["id"], since: "expires_at", days: 30 },
  journal_imports: { table: "nectar.journal_imports", key: ["id"], since: "created_at", days: 30 },
  // Nothing is pushed after a day.
  push_deliveries: {
    table: "private.push_deliveries",
    key: ["notification_id", "subscription_id"],
    since: "created_at",
    days: 7,
  },
  // Quotas count the mails of a day, and events of a delivery arrive for a few days. The database forbids deleting younger
  // rows.
  mails: { table: "private.email_messages", key: ["id"], since: "created_at", days: 30 },
  // Before their events: an event that arrives again would otherwise count as new, although its mail is stored.
  mails_received: { table: "private.email_received", key: ["id"], since: "created_at", days: 30 },
  mail_events: { table: "private.email_events", key: ["id", "is_verified"], since: "created_at", days: 30 },
  // The service sees those of squads only; messages of teams stay.
  squad_messages: { table: "nectar.team_messages", key: ["id"], since: "created_at", days: 30 },
  // The table says when an entry expires. A trigger discards the file of its background.
  trashed_entries: { table: "nectar.trashed_entries", key: ["id"], since: "expires_at", days: 0 },
  suspensions: { table: "private.kept_suspensions", key: ["address_hash"], since: "expires_at", days: 0 },
  notifications_read: { table: "nectar.notifications", key: ["id"], since: "read_at", days: 180 },
  notifications_unread: {
    table: "nectar.notifications",
    key: ["id"],
    since: "created_at",
    days: 400,
    without: "read_at",
  },
};

/**
 * Deletes outdated rows: stored responses (they may contain journal text) and everything in `RETENTIONS`. Also expires exports,
 * deletes the files that no row owns, reports late jobs, and warns of models that end. Running it twice changes nothing.
 */
export const housekeeping = job(scheduleOf("housekeeping"), async (context) => {
  const remove = async (work: (tx: Tx) => Promise<number>) =>
    (await context.forEachSlice(SLICE, async (tx) => ({ seen: await work(tx), counts: {} }))).seen;
  const counts: Record<string, number> = { answers: await remove(removeExpiredResponses) };
  counts.exports_expired = await remove((tx) => call(tx, "expire_exports", { max: SLICE }));
  for (const [name, retention] of Object.entries(RETENTIONS)) counts[name] = await remove(older(retention));
  const files = await removeUnownedFiles(context.services, context);
  await reportLateJobs(context.services, context.now);
  return { ...counts, ...files, ...(await warnOfShutdowns(context)) };
});

async function removeExpiredResponses(tx: Tx): Promise<number> {
  // The service can read only the age of a stored response, so a slice is limited by age.
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

/** Deletes a slice of the rows that are older than `days`. */
export function older({ table, key, since, days, without }: Retention): (tx: Tx) => Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const condition = without === undefined ? sql`` : sql`and ${sql.ref(without)} is null`;
  return async (tx) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where (${columns}) in (
        select ${columns} from ${sql.table(table)}
        where ${sql.ref(since)} < now() - make_interval(days => ${days}) ${condition}
        limit ${SLICE}
      )
    `.execute(tx);
    return Number(numAffectedRows ?? 0);
  };
}
