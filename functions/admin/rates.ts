import { sql } from "kysely";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all, maybeOne } from "#database/query";
import { pageOf } from "#http/response/paging";
import type { NewRate, PageQuery, Rate } from "./schema.ts";

/** Exact numerics arrive as text. */
interface RateRow extends Omit<Rate, "rate"> {
  rate: string;
}

const columns = sql.raw("c.id, c.rate, c.effective_date, c.created_by, c.created_at");

/** The rate that counts now, and a page of all rates, newest first. */
export async function listRates(tx: Tx, query: PageQuery) {
  const current = await maybeOne<RateRow>(tx)`
    select ${columns} from conversion_rates c
    where c.effective_date <= now()
    order by c.effective_date desc, c.id desc limit 1
  `;
  const rows = await all<RateRow>(tx)`
    select ${columns} from conversion_rates c
    where ${afterCursor(["c.effective_date", "c.id"], query.cursor)}
    order by c.effective_date desc, c.id desc limit ${query.limit + 1}
  `;
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
    .returning(["id", "rate", "effective_date", "created_by", "created_at"])
    .executeTakeFirstOrThrow();
  return asRate(row);
}

function asRate(row: RateRow): Rate {
  return { ...row, rate: Number(row.rate) };
}
