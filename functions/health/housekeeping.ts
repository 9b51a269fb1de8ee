import { sql } from "kysely";
import { periodsOf, TABLES } from "#core/cards/all";
import type { Kept } from "#core/cards/card";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";
import { reportOverdue } from "./jobs.ts";
import { warnOfShutdowns } from "./models.ts";
import { removeUnownedFiles } from "./stored-files.ts";

/** Rows that one transaction deletes, so that it does not keep its locks for long. */
const BATCH = 5_000;

/** The tables that housekeeping deletes from by age: those whose cards say how long rows are kept. */
export const RETENTIONS: readonly (readonly [table: string, kept: Kept])[] = Object.entries(TABLES).flatMap(
  ([table, { kept }]) =>
    periodsOf(kept)
      .filter(({ by, since, until }) => by === undefined && (since ?? until) !== undefined)
      .map((one) => [table, one] as const),
);

/**
 * Deletes outdated rows and the files that no row owns, expires exports, reports what is overdue, and warns of models that end.
 * Running it twice changes nothing.
 */
export const housekeeping = job(scheduleOf("housekeeping"), async (context) => {
  const remove = async (work: (tx: Tx) => Promise<number>) =>
    (await context.forEachBatch(BATCH, async (tx) => ({ seen: await work(tx), counts: {} }))).seen;
  const counts: Record<string, number> = {
    exports_expired: await remove((tx) => call(tx, "expire_exports", { max: BATCH })),
    rejected_photos: await remove((tx) => call(tx, "expire_rejected_photos", { max: BATCH })),
  };
  for (const [table, kept] of RETENTIONS) {
    const name = kept.countedAs ?? table.slice(table.indexOf(".") + 1);
    counts[name] = (counts[name] ?? 0) + (await remove(older(table, kept)));
  }
  const files = await removeUnownedFiles(context.services, context);
  await reportOverdue(context.services, context.now);
  return { ...counts, ...files, ...(await warnOfShutdowns(context)) };
});

/** Deletes a batch of the rows of a table that are older than they are kept. */
export function older(table: string, kept: Kept): (tx: Tx) => Promise<number> {
  const { days = 0, hours = 0, since, until = "", key = ["id"], without } = kept;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // The column `until` has the end itself.
  const period = since === undefined ? sql`` : sql`- make_interval(days => ${days}, hours => ${hours})`;
  const condition = without === undefined ? sql`` : sql`and ${sql.ref(without)} is null`;
  return async (tx) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where (${columns}) in (
        select ${columns} from ${sql.table(table)}
        where ${sql.ref(since ?? until)} < now() ${period} ${condition}
        limit ${BATCH}
      )
    `.execute(tx);
    return Number(numAffectedRows ?? 0);
  };
}
