import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import { type VisiblePage, visiblePageIds } from "@nectar/database/visible-page";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ENTRY_SELECTION, type EntryFields, EXCERPT_LENGTH, type ListedEntry } from "./entry.ts";

/** Filters of a list of entries; all are optional. */
export interface EntryFilter {
  /** Text that the title or the visible content contains, ignoring case. */
  readonly q?: string | undefined;
  readonly mood?: string | undefined;
  /** Tags that an entry must all have, as `tagKey` gives them. */
  readonly tagKeys?: readonly string[] | undefined;
  readonly notebookId?: string | undefined;
  /** Created at this time or later. */
  readonly from?: string | undefined;
  /** Created before this time. */
  readonly before?: string | undefined;
}

/** Which page of a list to read, and how much of each entry. */
export interface EntryPage extends Pick<VisiblePage, "readerId" | "scope" | "order" | "cursor" | "limit"> {
  readonly fields: EntryFields;
  /** No more rows are read once the contents together have more bytes than this. */
  readonly maxContentBytes: number;
}

/**
 * Reads a page of visible entries; read one more than you show to know whether there is a next page. Texts are cut in the
 * database, so that a page of long contents is never loaded into memory as a whole.
 */
export async function readEntryPage(tx: Tx, page: EntryPage, filter: EntryFilter): Promise<ListedEntry[]> {
  const { fields, maxContentBytes, ...rest } = page;
  const conditions = filterConditions(filter);
  const ids = visiblePageIds({
    table: "journal_entries",
    ...rest,
    ...(filter.notebookId === undefined ? {} : { within: sql<SqlBool>`r.notebook_id = ${filter.notebookId}` }),
    ...(conditions.length === 0 ? {} : { filter: sql<SqlBool>`${sql.join(conditions, sql` and `)}` }),
  });
  const direction = sql.raw(page.order === "newest first" ? "desc" : "asc");
  const order = sql`page.created_at ${direction}, page.id ${direction}`;
  return all<ListedEntry>(tx)`
    select ${ENTRY_SELECTION}, ${TEXT[fields]}
    from (
      select page.id, page.created_at, c.entry_id, c.content, c.found_mood,
        sum(octet_length(c.content)) over (order by ${order} rows between unbounded preceding and 1 preceding)
          as bytes_before
      from (${ids}) page
      left join journal_entry_contents c on c.entry_id = page.id
    ) c
    join journal_entries e on e.id = c.id
    where ${fields === "all" ? sql`coalesce(c.bytes_before, 0) <= ${maxContentBytes}` : sql`true`}
    order by c.created_at ${direction}, c.id ${direction}
  `;
}

/** The selected part of the content `c`. */
const TEXT: Readonly<Record<EntryFields, RawBuilder<unknown>>> = {
  all: sql`c.content`,
  metadata: sql`null::text as content`,
  excerpt: sql`null::text as content, left(c.content, ${sql.lit(EXCERPT_LENGTH)}) as content_excerpt`,
};

function filterConditions(filter: EntryFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (filter.from !== undefined) conditions.push(sql`r.created_at >= ${filter.from}::timestamptz`);
  if (filter.before !== undefined) conditions.push(sql`r.created_at < ${filter.before}::timestamptz`);
  if (filter.mood !== undefined) {
    // As with text below: a mood that was detected in hidden content matches nothing.
    const found = sql`(select c.found_mood from journal_entry_contents c where c.entry_id = r.id)`;
    conditions.push(sql`lower(coalesce(r.mood, ${found})) = lower(${filter.mood})`);
  }
  if (filter.tagKeys !== undefined) conditions.push(sql`r.tag_keys @> ${[...filter.tagKeys]}::text[]`);
  if (filter.q !== undefined) {
    const pattern = `%${filter.q.replaceAll(/[\\%_]/g, "\\$&")}%`;
    // The policy on contents applies in the subquery as well: text that the reader may not see matches nothing. A scalar
    // subquery looks up one row; with `exists` the planner may read the contents of all entries first.
    conditions.push(sql`(
      r.title ilike ${pattern}
      or (select c.content ilike ${pattern} from journal_entry_contents c where c.entry_id = r.id)
    )`);
  }
  return conditions;
}
