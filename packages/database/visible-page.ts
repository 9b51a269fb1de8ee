import { type RawBuilder, type SqlBool, sql } from "kysely";
import { afterCursor, type KeysetCursor } from "./keyset.ts";

/** The part of the visible rows that a list shows. */
export type Scope = "all" | "own" | "shared" | "public";

/** A page of the rows of a table that a reader may see. */
export interface VisiblePage {
  readonly table: "journal_entries" | "notebooks";
  readonly readerId: string;
  readonly scope: Scope;
  readonly order: "newest first" | "oldest first";
  readonly cursor: KeysetCursor | undefined;
  readonly limit: number;
  /** Further conditions on a row `r` of the table. */
  readonly filter?: RawBuilder<SqlBool>;
  /** A condition on `r` with an index of its own that few rows meet, such as one notebook: only this index is read. */
  readonly within?: RawBuilder<SqlBool>;
}

/** A row of the page. */
interface VisibleRow {
  id: string;
  created_at: string;
}

/**
 * The ids of a page of visible rows, as a query over `(id, created_at)`.
 *
 * With row-level security alone, PostgreSQL would read the table in the order of the page and discard what the reader may
 * not see: with a million rows of other people, nearly all. Instead, each audience of the reader is read through its index.
 * A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read for one
 * row, and only N of them for more. The policies still check every row.
 */
export function visiblePageIds(page: VisiblePage): RawBuilder<VisibleRow> {
  const table = sql.table(page.table);
  const descending = page.order === "newest first";
  const direction = sql.raw(descending ? "desc" : "asc");
  const conditions = [afterCursor(["r.created_at", "r.id"], page.cursor, page.order)];
  if (page.filter !== undefined) conditions.push(page.filter);
  const rows = (where: RawBuilder<SqlBool>, limit: number) => sql<VisibleRow>`
    select r.id, r.created_at from ${table} r
    where ${sql.join([where, ...conditions], sql` and `)}
    order by r.created_at ${direction}, r.id ${direction}
    limit ${sql.lit(limit)}`;

  if (page.within !== undefined) return rows(sql`${page.within} and ${scopeCondition(page)}`, page.limit);

  const own = sql`(${rows(sql`r.user_id = ${page.readerId}`, page.limit)})`;
  const everything = sql`(${rows(sql`(select private.is_super_admin())`, page.limit)})`;
  const notOwn = sql<SqlBool>`r.user_id <> ${page.readerId}`;
  const others = (audiences: RawBuilder<unknown>, extra: RawBuilder<SqlBool> | null) => {
    const ofAudience = sql<SqlBool>`r.metadata_audience_id = a.id${extra === null ? sql`` : sql` and ${extra}`}`;
    return sql`(
      select r.id, r.created_at
      from (
        select a.id
        from (${audiences}) a (id)
        cross join lateral (${rows(ofAudience, 1)}) first_row
        order by first_row.created_at ${direction}, first_row.id ${direction}
        limit ${sql.lit(page.limit)}
      ) a
      cross join lateral (${rows(ofAudience, page.limit)}) r
    )`;
  };
  const allAudiences = sql`select private.my_audience_ids()`;
  const parts = {
    own: [own],
    shared: [others(sql`select m from private.my_audience_ids() m where m <> private.public_audience()`, notOwn)],
    public: [others(sql`select private.public_audience()`, null)],
    all: [own, others(allAudiences, null), everything],
  }[page.scope];
  return sql`
    select p.id, p.created_at from (${sql.join(parts, sql` union `)}) p
    order by p.created_at ${direction}, p.id ${direction}
    limit ${sql.lit(page.limit)}`;
}

/** The scope as a condition on `r`, for rows that the policies have allowed. */
function scopeCondition({ scope, readerId }: VisiblePage): RawBuilder<SqlBool> {
  const isPublic = sql<SqlBool>`r.metadata_audience_id = private.public_audience()`;
  const isOwn = sql<SqlBool>`r.user_id = ${readerId}`;
  return {
    all: sql<SqlBool>`true`,
    own: isOwn,
    shared: sql<SqlBool>`not ${isOwn} and not ${isPublic} and r.metadata_audience_id in (select private.my_audience_ids())`,
    public: isPublic,
  }[scope];
}
