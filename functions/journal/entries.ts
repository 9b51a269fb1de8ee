import { AppError } from "@nectar/core/errors";
import { type MoodSource, type MoodState, moodGivenByAuthor } from "@nectar/core/moods";
import { endOfRange, startOfRange } from "@nectar/core/utc-day";
import type { Tx } from "@nectar/database/database";
import { violates } from "@nectar/database/errors";
import { pageOf } from "@nectar/http/paging";
import { notYours } from "@nectar/http/visible-or-gone";
import { ENTRY_COLUMNS, type Entry, presentEntry } from "@nectar/journal/entry";
import { listEntries } from "@nectar/journal/entry-list";
import { applySharing } from "@nectar/journal/sharing";
import { sql } from "kysely";
import { type EntryChange, type EntryQuery, type NewEntry, queryTagKeys } from "./schema.ts";

const ENTRY = { name: "entry", missing: "journal.not_found", foreign: "journal.not_yours" } as const;

/** A page of the entries that the reader may see, narrowed as asked. */
export async function pageOfEntries(tx: Tx, readerId: string, query: EntryQuery) {
  const entries = await listEntries(
    tx,
    {
      readerId,
      scope: query.scope,
      order: query.sort === "created_at" ? "oldest first" : "newest first",
      cursor: query.cursor,
      limit: query.limit + 1,
    },
    {
      q: query.q,
      mood: query.mood,
      tagKeys: query.tag === undefined ? undefined : queryTagKeys(query.tag),
      notebookId: query.notebook_id,
      from: query.from === undefined ? undefined : startOfRange(query.from),
      before: query.to === undefined ? undefined : endOfRange(query.to),
    },
  );
  const page = pageOf(entries, query.limit, (entry) => ({ at: entry.created_at, id: entry.id }));
  return { entries: [...page.rows], next_cursor: page.next_cursor };
}

/** Reads one visible entry. @throws AppError 404 */
export async function readEntry(tx: Tx, id: string): Promise<Entry> {
  const row = await tx
    .selectFrom("journal_entries as e")
    .leftJoin("journal_entry_contents as c", "c.entry_id", "e.id")
    .select(ENTRY_COLUMNS.map((column) => `e.${column}` as const))
    .select("c.content")
    .where("e.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw notYours(false, ENTRY);
  const { content, ...metadata } = row;
  return presentEntry(metadata, content);
}

/** Writes a new entry of the caller. @throws AppError 400, 403 or 404 when its notebook or its sharing cannot be */
export async function createEntry(tx: Tx, input: NewEntry): Promise<Entry> {
  const sharing = await applySharing(tx, null, input);
  const row = await inOwnNotebook(() =>
    tx
      .insertInto("journal_entries")
      .values({
        title: input.title,
        ...moodGivenByAuthor(input.mood),
        tags: input.tags ?? [],
        notebook_id: input.notebook_id ?? null,
        inherit_visibility: input.inherit_visibility ?? true,
        ...sharing,
      })
      .returning(ENTRY_COLUMNS)
      .executeTakeFirstOrThrow(),
  );
  await tx.insertInto("journal_entry_contents").values({ entry_id: row.id, content: input.content }).execute();
  return presentEntry(row, input.content);
}

/**
 * Changes an entry of the caller.
 * @param canAnalyze whether there is a model that could find a mood for new content
 * @returns the entry, and whether a mood is to be found for it
 * @throws AppError 404 when it is not visible, 403 when it is somebody else's
 */
export async function changeEntry(
  tx: Tx,
  id: string,
  change: EntryChange,
  canAnalyze: boolean,
): Promise<{ entry: Entry; wantsMood: boolean }> {
  const before = await tx
    .selectFrom("journal_entries")
    .select(["metadata_visibility", "content_visibility", "team_id", "org_id", "mood_source"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) throw notYours(await isVisible(tx, id), ENTRY);
  const sharing = await applySharing(tx, before, change);
  const wantsMood =
    canAnalyze && leavesMoodOpen(change, before.mood_source) && (await isNewContent(tx, id, change.content));
  await inOwnNotebook(() =>
    tx
      .updateTable("journal_entries")
      .set({
        title: change.title,
        ...changedMood(change, wantsMood),
        tags: change.tags === null ? [] : change.tags,
        notebook_id: change.notebook_id,
        inherit_visibility: change.inherit_visibility,
        ...sharing,
        // Two changes of one millisecond are two: what a model says of the first must not be taken for the second's.
        updated_at: sql<string>`greatest(now(), updated_at + interval '1 millisecond')`,
      })
      .where("id", "=", id)
      .execute(),
  );
  if (change.content !== undefined) {
    await tx
      .updateTable("journal_entry_contents")
      .set({ content: change.content })
      .where("entry_id", "=", id)
      .execute();
  }
  return { entry: await readEntry(tx, id), wantsMood };
}

/** Deletes an entry of the caller. @throws AppError 404 when it is not visible, 403 when it is somebody else's */
export async function deleteEntry(tx: Tx, id: string): Promise<void> {
  const deleted = await tx.deleteFrom("journal_entries").where("id", "=", id).returning("id").executeTakeFirst();
  if (deleted === undefined) throw notYours(await isVisible(tx, id), ENTRY);
}

/** The tags of the caller's own entries with the number of entries, most used first, in their latest spelling. */
export async function countTags(tx: Tx, userId: string): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select (array_agg(t.tag order by e.created_at desc))[1] as tag, count(*) as count
    from journal_entries e
    cross join lateral unnest(e.tags, e.tag_keys) as t (tag, key)
    where e.user_id = ${userId}
    group by t.key
    order by count(*) desc, t.key
  `.execute(tx);
  return rows;
}

/** Whether neither this change nor the entry as it was has a mood that its author chose. */
function leavesMoodOpen({ mood }: EntryChange, before: MoodSource): boolean {
  return mood === undefined ? before !== "user" : moodGivenByAuthor(mood).mood === null;
}

async function isNewContent(tx: Tx, id: string, content: string | undefined): Promise<boolean> {
  if (content === undefined) return false;
  const before = await tx
    .selectFrom("journal_entry_contents")
    .select("content")
    .where("entry_id", "=", id)
    .executeTakeFirst();
  return before?.content !== content;
}

function changedMood(change: EntryChange, wantsMood: boolean): Partial<MoodState> {
  // A mood that was found in the old content says nothing about the new. Without a model nothing would take its place,
  // analysis is skipped altogether, and it stays.
  return change.mood === undefined && !wantsMood ? {} : moodGivenByAuthor(change.mood);
}

async function isVisible(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom("journal_entries").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

async function inOwnNotebook<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violates(error, "journal_entries_notebook_is_own")) {
      throw new AppError("notebook.not_found", "You have no such notebook.");
    }
    throw error;
  }
}
