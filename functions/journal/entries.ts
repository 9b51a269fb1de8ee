import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Sharing } from "#core/people/visibility";
import { textOrNull } from "#core/text/text";
import { endOfRange, startOfRange } from "#core/time/utc-day";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { KeysetCursor } from "#database/keyset";
import { all, maybeOne, one } from "#database/query";
import { unversioned } from "#database/unversioned";
import { byCreation, MAX_PAGE_BYTES, pageOf } from "#http/response/paging";
import { ENTRY_COLUMNS, type Entry, type ListedEntry, type VersionedEntry } from "#journal/entry";
import { readEntryPage } from "#journal/entry-list";
import type { SeenPicture } from "#journal/picture";
import { applySharing, refusal } from "#journal/sharing";
import { type EntryQuery, type EntryUpdate, isByDate, type NewEntry, queryTags } from "./schema.ts";

const ORDERS = {
  created_at: "oldest first",
  "-created_at": "newest first",
  entry_date: "earliest date first",
  "-entry_date": "latest date first",
} as const;

/** A page of the entries that the reader may see and the query selects. */
export async function listEntries(tx: Tx, query: EntryQuery) {
  const { scope, sort, cursor, limit, fields, tag, from, to, ...filter } = query;
  const entries = await readEntryPage(
    tx,
    { scope, order: ORDERS[sort], cursor, limit: limit + 1, fields, maxContentBytes: MAX_PAGE_BYTES },
    {
      ...filter,
      tags: tag === undefined ? undefined : queryTags(tag),
      from: from === undefined ? undefined : startOfRange(from),
      before: to === undefined ? undefined : endOfRange(to),
    },
  );
  const page = pageOf(entries, limit, isByDate(sort) ? byDate : byCreation);
  return { entries: page.rows, next_cursor: page.next_cursor };
}

function byDate(entry: ListedEntry): KeysetCursor {
  return { ...byCreation(entry), part: entry.entry_date };
}

/** The caller's own entries about the same day of earlier years, latest first: at most 100, or as many as fit into a response. */
export async function listEntriesOnThisDay(tx: Tx, date: string | undefined, now: Date): Promise<Entry[]> {
  const entries = await call(tx, "list_entries_on_this_day", { date, now, maxBytes: MAX_PAGE_BYTES });
  const page = pageOf(entries, entries.length, byCreation);
  return page.rows.map(unversioned);
}

/** Reads one visible entry. @throws AppError 404 */
export async function readEntry(tx: Tx, id: string): Promise<VersionedEntry> {
  const [entry] = await call(tx, "read_entry", { id });
  if (entry === undefined) throw new AppError("journal.not_found");
  return entry;
}

/** Reads one visible entry with its pictures. @throws AppError 404 */
export async function readEntryWithPictures(tx: Tx, id: string) {
  const found = await maybeOne<VersionedEntry & { readonly pictures: readonly SeenPicture[] | null }>(tx)`
    select e.*, case when e.picture_count > 0 then
      (select jsonb_agg(p order by p.position) from private.list_pictures(array[e.id]) p)
    end as pictures
    from private.read_entry(${id}) e
  `;
  if (found === undefined) throw new AppError("journal.not_found");
  return { ...found, pictures: found.pictures ?? [] };
}

/** Creates an entry of the caller. @throws AppError 400, 403 or 404 if its notebook or its sharing is not allowed */
export async function createEntry(tx: Tx, input: NewEntry): Promise<VersionedEntry> {
  const sharing = await applySharing(tx, null, input);
  const entry = {
    ...input,
    ...chosenMood(input.mood),
    tags: input.tags ?? [],
    comments_enabled: input.comments_enabled ?? true,
    inherit_visibility: input.inherit_visibility ?? true,
    ...sharing,
  };
  const row = await one<Pick<VersionedEntry, "version" | (typeof ENTRY_COLUMNS)[number]>>(tx)`
    select version, ${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))}
    from private.create_entry(${JSON.stringify(entry)}::jsonb)
  `;
  return {
    ...row,
    content: input.content,
    content_hidden: false,
    comment_count: 0,
    moderation: null,
    picture_count: 0,
  };
}

/**
 * Updates an entry of the caller.
 * @param canAnalyze whether there is a model that could find a mood in new content
 * @returns the entry, and whether to look for a mood in it
 * @throws AppError 404 if it is not visible, 403 if it belongs to another user
 */
export async function updateEntry(
  tx: Tx,
  id: string,
  given: EntryUpdate,
  canAnalyze: boolean,
): Promise<{ entry: VersionedEntry; wantsMood: boolean }> {
  const before = await lockEntry(tx, id, given);
  if (before === undefined) throw await refusal(tx, "journal_entries", id);
  // A client may send a found mood back with the rest of the entry; the author did not choose it.
  const isSentBack = before.mood_source === "ai" && given.mood === before.mood;
  const change = isSentBack ? { ...given, mood: undefined } : given;
  const sharing = await applySharing(tx, before, change);
  const { content, mood: _, ...columns } = change;
  const isExcluded = change.ai_excluded ?? before.ai_excluded;
  const wantsMood = canAnalyze && !isExcluded && before.is_new_content && leavesMoodOpen(change, before);
  await tx
    .updateTable("journal_entries")
    .set({
      ...columns,
      ...changedMood(change, wantsMood),
      tags: change.tags === null ? [] : change.tags,
      ...sharing,
      // Different even for two updates in one millisecond, so that a mood found for the first is not stored for the second.
      updated_at: sql<string>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where("id", "=", id)
    .execute();
  if (content !== undefined) {
    await tx.updateTable("journal_entry_contents").set({ content }).where("entry_id", "=", id).execute();
  }
  return { entry: await readEntry(tx, id), wantsMood };
}

/** Moves an entry of the caller to the trash. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function deleteEntry(tx: Tx, id: string): Promise<void> {
  const isTrashed = await call(tx, "trash_entry", { id });
  if (!isTrashed) throw await refusal(tx, "journal_entries", id);
}

/** 5,000 tags of the maximum length make a response of 2 MB. */
export const MAX_COUNTED_TAGS = 5_000;

/** The tags of the caller's own entries in their latest spelling, with the number of entries; most used first. */
export async function countTags(tx: Tx, userId: string): Promise<{ tag: string; count: number }[]> {
  return all<{ tag: string; count: number }>(tx)`
    select (array_agg(t.tag order by e.created_at desc))[1] as tag, count(*) as count
    from journal_entries e
    cross join lateral unnest(e.tags, e.tag_keys) as t (tag, key)
    where e.user_id = ${userId}
    group by t.key
    order by count(*) desc, t.key
    limit ${sql.lit(MAX_COUNTED_TAGS)}
  `;
}

interface EntryBefore extends Sharing {
  readonly mood: string | null;
  readonly mood_source: Entry["mood_source"];
  readonly is_new_content: boolean;
  readonly ai_excluded: boolean;
}

/** Locks an entry of the caller until the transaction ends; undefined if there is none. */
async function lockEntry(tx: Tx, id: string, { content }: EntryUpdate): Promise<EntryBefore | undefined> {
  const entry = await tx
    .selectFrom("journal_entries")
    .select(["metadata_visibility", "content_visibility", "team_id", "org_id", "mood", "mood_source", "ai_excluded"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (entry === undefined || content === undefined) return entry && { ...entry, is_new_content: false };
  // A separate statement, because the one that waited for the lock may have read the content from before.
  const changed = await tx
    .selectFrom("journal_entry_contents")
    .select("entry_id")
    .where("entry_id", "=", id)
    .where("content", "!=", content)
    .executeTakeFirst();
  return { ...entry, is_new_content: changed !== undefined };
}

/** Whether the entry has no mood that its author chose after this update. */
function leavesMoodOpen({ mood }: EntryUpdate, before: EntryBefore): boolean {
  return mood === undefined ? before.mood_source !== "user" : textOrNull(mood) === null;
}

/** The columns of a mood that the author sent; an empty one is none. */
function chosenMood(sent: string | null | undefined): Pick<EntryBefore, "mood" | "mood_source"> {
  const mood = textOrNull(sent);
  return { mood, mood_source: mood === null ? null : "user" };
}

/** The new mood with its source; empty if they stay. */
function changedMood(change: EntryUpdate, wantsMood: boolean): Partial<Pick<EntryBefore, "mood" | "mood_source">> {
  // A mood that was found in the old content says nothing about the new one. Without a model there is no other, so it stays.
  if (change.mood === undefined && !wantsMood) return {};
  return chosenMood(change.mood);
}
