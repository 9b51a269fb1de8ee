import { sql } from "kysely";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { pageOf } from "#http/response/paging";
import { type NewRate, type PageQuery, Rate } from "./schema.ts";

/** The rate that counts now, and a page of all rates, newest first. */
export async function listRates(tx: Tx, query: PageQuery) {
  const newest = tx
    .selectFrom("conversion_rates")
    .select(Rate.keyof().options)
    .orderBy("effective_date", "desc")
    .orderBy("id", "desc");
  const current = await newest.where("effective_date", "<=", sql<string>`now()`).limit(1).executeTakeFirst();
  const rows = await newest
    .where(afterCursor(["effective_date", "id"], query.cursor))
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows, query.limit, (rate) => ({ at: rate.effective_date, id: rate.id }));
  return {
    current: current === undefined ? null : asRate(current),
    history: page.rows.map(asRate),
    next_cursor: page.next_cursor,
  };
}

/** Sets a rate that counts from now on. The policies allow it to super admins only. */
export async function setRate(tx: Tx, { rate }: NewRate): Promise<Rate> {
  const row = await tx
    .insertInto("conversion_rates")
    .values({ rate })
    .returning(Rate.keyof().options)
    .executeTakeFirstOrThrow();
  return asRate(row);
}

/** Exact numerics arrive as text. */
function asRate<Row extends { readonly rate: string }>(row: Row) {
  return { ...row, rate: Number(row.rate) };
}
