import { sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all, maybeOne } from "#database/query";
import { byCreation, pageOf } from "#http/response/paging";
import type { AnalysisSource, NoteAnalysisRecord, SourcesQuery } from "./schema.ts";

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
    where ${isAnalysisOf(userId, date)}
    order by analysis_date desc
    limit 1
  `;
  return row ?? null;
}

/** A page of the entries that the caller's analysis of a day, or the latest, has read, newest first; only those that still exist. */
export async function listSources(tx: Tx, userId: string, { date, cursor, limit }: SourcesQuery) {
  const rows = await all<AnalysisSource>(tx)`
    select e.id, e.title, e.created_at
    from note_analysis_sources s
    join journal_entries e on e.id = s.entry_id
    where s.analysis_id = (
      select id from note_analyses where ${isAnalysisOf(userId, date)} order by analysis_date desc limit 1
    ) and ${afterCursor(["e.created_at", "e.id"], cursor)}
    order by e.created_at desc, e.id desc
    limit ${limit + 1}
  `;
  const page = pageOf(rows, limit, byCreation);
  return { sources: page.rows, next_cursor: page.next_cursor };
}

function isAnalysisOf(userId: string, date: string | undefined) {
  return sql`user_id = ${userId} and ${date === undefined ? sql`true` : sql`analysis_date = ${date}::date`}`;
}

/** Deletes all analyses of the caller, and cancels the one that is being made. */
export async function deleteAnalyses(tx: Tx, userId: string): Promise<void> {
  // First, because it waits for an analysis that is being stored, which is then deleted with the others.
  await call(tx, "cancel_note_analysis");
  await tx.deleteFrom("note_analyses").where("user_id", "=", userId).execute();
}
