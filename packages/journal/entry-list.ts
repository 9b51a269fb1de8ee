import type * as z from "zod";
import type { Scope } from "#core/people/visibility";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { KeysetCursor } from "#database/keyset";
import { unversioned } from "#database/unversioned";
import { type EntryFields, EXCERPT_LENGTH, type ListedEntry } from "./entry.ts";

/** Filters of a list of entries as `private.entry_page` names them; all are optional. */
export interface EntryFilter {
  /** Text that the title or the visible content contains, ignoring case. */
  readonly q?: string | undefined;
  readonly mood?: string | undefined;
  /** Tags that an entry must all have, in upper or lower case. */
  readonly tags?: readonly string[] | undefined;
  readonly notebook_id?: string | undefined;
  /** Created at this time or later. */
  readonly from?: string | undefined;
  /** Created before this time. */
  readonly before?: string | undefined;
  /** About this date or a later one. */
  readonly date_from?: string | undefined;
  /** About this date or an earlier one. */
  readonly date_to?: string | undefined;
}

/** Which page of a list to read, and how much of each entry. */
export interface EntryPage {
  /** The part of the visible entries that the list shows. */
  readonly scope: z.output<typeof Scope>;
  /** By the time of creation, or by date; entries about the same date by the time of creation. */
  readonly order: "newest first" | "oldest first" | "latest date first" | "earliest date first";
  /** The last row of the page before: the time of its creation, its id and, by date, its date as the part. */
  readonly cursor: KeysetCursor | undefined;
  readonly limit: number;
  readonly fields: EntryFields;
  /** A page of more than 50 rows ends once its contents together have more bytes than this. */
  readonly maxContentBytes: number;
}

/**
 * Reads a page of visible entries; read one more than you show to know whether there is a next page. Texts are cut in the
 * database, so that a large page of long contents is never loaded into memory as a whole.
 */
export async function readEntryPage(tx: Tx, page: EntryPage, filter: EntryFilter): Promise<ListedEntry[]> {
  const { cursor, limit, fields, maxContentBytes } = page;
  const entries = await call(tx, "list_entries", {
    page: {
      scope: page.scope,
      order: page.order,
      after_date: cursor?.part,
      after: cursor?.at,
      after_id: cursor?.id,
      max: limit,
      fields,
      excerpt_length: EXCERPT_LENGTH,
      max_content_bytes: maxContentBytes,
    },
    filter,
  });
  return entries
    .map(unversioned)
    .map((entry) => (fields === "excerpt" ? { ...entry, content: null, content_excerpt: entry.content } : entry));
}
