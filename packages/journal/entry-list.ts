import type { Tx } from "@nectar/database/database";
import { type VisiblePage, visiblePageIds } from "@nectar/database/visible-page";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ENTRY_COLUMNS, type Entry, presentEntry } from "./entry.ts";

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

/** Reads a page of visible entries; ask for one more than is shown to learn whether there is a next page. */
export async function listEntries(
  tx: Tx,
  page: Pick<VisiblePage, "readerId" | "scope" | "order" | "cursor" | "limit">,
  filter: EntryFilter,
): Promise<Entry[]> {
  const conditions = filterConditions(filter);
  const ids = visiblePageIds({
    table: "journal_entries",
    ...page,
    ...(filter.notebookId === undefined ? {} : { within: sql<SqlBool>`r.notebook_id = ${filter.notebookId}` }),
    ...(conditions.length === 0 ? {} : { filter: sql<SqlBool>`${sql.join(conditions, sql` and `)}` }),
  });
  const direction = sql.raw(page.order === "newest first" ? "desc" : "asc");
  const columns = sql.join(ENTRY_COLUMNS.map((column) => sql.ref(`e.${column}`)));
  const { rows } = await sql<Omit<Entry, "content" | "content_hidden"> & { content: string | null }>`
    select ${columns}, c.content
    from (${ids}) page
    join journal_entries e on e.id = page.id
    left join journal_entry_contents c on c.entry_id = page.id
    order by page.created_at ${direction}, page.id ${direction}
  `.execute(tx);
  return rows.map(({ content, ...metadata }) => presentEntry(metadata, content));
}

function filterConditions(filter: EntryFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (filter.from !== undefined) conditions.push(sql`r.created_at >= ${filter.from}::timestamptz`);
  if (filter.before !== undefined) conditions.push(sql`r.created_at < ${filter.before}::timestamptz`);
  if (filter.mood !== undefined) conditions.push(sql`lower(r.mood) = lower(${filter.mood})`);
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
