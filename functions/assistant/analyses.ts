import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { byCreation, pageOf } from "#http/response/paging";
import { NoteAnalysisRecord, type SourcesQuery } from "./schema.ts";

/** Reads the caller's analysis of a day, or the latest. @param date UTC day, `YYYY-MM-DD` */
export async function readAnalysis(
  tx: Tx,
  userId: string,
  date: string | undefined,
): Promise<NoteAnalysisRecord | null> {
  const row = await analysisOf(tx, userId, date).select(NoteAnalysisRecord.keyof().options).executeTakeFirst();
  return row === undefined ? null : NoteAnalysisRecord.parse(row);
}

/** A page of the entries that the caller's analysis of a day, or the latest, has read, newest first; only those that still exist. */
export async function listSources(tx: Tx, userId: string, { date, cursor, limit }: SourcesQuery) {
  const rows = await tx
    .selectFrom("note_analysis_sources as s")
    .innerJoin("journal_entries as e", "e.id", "s.entry_id")
    .select(["e.id", "e.title", "e.created_at"])
    .where("s.analysis_id", "=", analysisOf(tx, userId, date).select("id"))
    .where(afterCursor(["e.created_at", "e.id"], cursor))
    .orderBy("e.created_at", "desc")
    .orderBy("e.id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, byCreation);
  return { sources: page.rows, next_cursor: page.next_cursor };
}

function analysisOf(tx: Tx, userId: string, date: string | undefined) {
  const own = tx.selectFrom("note_analyses").where("user_id", "=", userId).orderBy("analysis_date", "desc").limit(1);
  return date === undefined ? own : own.where("analysis_date", "=", date);
}

/** Deletes all analyses of the caller, and cancels the one that is being made. */
export async function deleteAnalyses(tx: Tx, userId: string): Promise<void> {
  // First, because it waits for an analysis that is being stored, which is then deleted with the others.
  await call(tx, "cancel_note_analysis");
  await tx.deleteFrom("note_analyses").where("user_id", "=", userId).execute();
}
