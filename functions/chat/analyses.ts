import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import { sql } from "kysely";
import type { NoteAnalysisRecord } from "./schema.ts";

/** Reads the caller's analysis of a day, or the latest. @param date UTC day, `YYYY-MM-DD` */
export async function readAnalysis(
  tx: Tx,
  userId: string,
  date: string | undefined,
): Promise<NoteAnalysisRecord | null> {
  const row = await maybeOne<NoteAnalysisRecord>(tx)`
    select id, user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count,
      created_at, updated_at
    from note_analyses
    where user_id = ${userId} and ${date === undefined ? sql`true` : sql`analysis_date = ${date}::date`}
    order by analysis_date desc
    limit 1
  `;
  return row ?? null;
}

/** Deletes all analyses of the caller, and cancels the one that is being made. */
export async function deleteAnalyses(tx: Tx, userId: string): Promise<void> {
  // First, because it waits for an analysis that is being stored, which is then deleted with the others.
  await sql`select private.cancel_note_analysis()`.execute(tx);
  await tx.deleteFrom("note_analyses").where("user_id", "=", userId).execute();
}
