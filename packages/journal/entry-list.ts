import type { Tx } from "@nectar/database/database";
import { type VisiblePage, visiblePageIds } from "@nectar/database/visible-page";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ENTRY_SELECTION, type EntryFields, EXCERPT_LENGTH, type ListedEntry } from "./entry.ts";

/** What a list of entries is narrowed to; every part is optional. */
export interface EntryFilter {
  /** Text that the title or the visible content contains, in any case. */
  readonly q?: string | undefined;
  readonly mood?: string | undefined;
  /** Tags that an entry must all carry, folded as they are compared. */
  readonly tagKeys?: readonly string[] | undefined;
  readonly notebookId?: string | undefined;
  /** Earliest moment of creation, inclusive. */
  readonly from?: string | undefined;
  /** Moment of creation from which on entries are left out. */
  readonly before?: string | undefined;
}

/** How much of a list is read, and how much of each entry. */
export interface EntryPage extends Pick<VisiblePage, "readerId" | "scope" | "order" | "cursor" | "limit"> {
  readonly fields: EntryFields;
  /** No further rows are read once the contents together have more bytes than this. */
  readonly maxContentBytes: number;
}

/**
 * Reads a page of visible entries; ask for one more than is shown to learn whether there is a next page. The database
 * cuts what is not asked for, so that a page of long contents is never read into memory as a whole.
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
  const { rows } = await sql<ListedEntry>`
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
  `.execute(tx);
  return rows;
}

/** What is read of the text of content `c`. */
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
    // As with text below: a mood that was found in hidden content matches nothing.
    const found = sql`(select c.found_mood from journal_entry_contents c where c.entry_id = r.id)`;
    conditions.push(sql`lower(coalesce(r.mood, ${found})) = lower(${filter.mood})`);
  }
  if (filter.tagKeys !== undefined) conditions.push(sql`r.tag_keys @> ${[...filter.tagKeys]}::text[]`);
  if (filter.q !== undefined) {
    const pattern = `%${filter.q.replaceAll(/[\\%_]/g, "\\$&")}%`;
    // The policy on contents applies inside as well: text that the reader may not see matches nothing. A scalar subquery
    // looks up one row; with `exists` the planner likes to read the contents of all entries first.
    conditions.push(sql`(
      r.title ilike ${pattern}
      or (select c.content ilike ${pattern} from journal_entry_contents c where c.entry_id = r.id)
    )`);
  }
  return conditions;
}
