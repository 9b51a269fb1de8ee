import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all } from "@nectar/database/query";
import { byCreation, type PageQuery, pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import { type DropRow, presentSentDrop, selectDrops } from "./drops.ts";

/** Reads a page of the drops that the caller sent, newest first. */
export async function listSent(tx: Tx, userId: string, { cursor, limit }: PageQuery, assistantName: string) {
  const where = sql<boolean>`d.sender_id = ${userId} and ${afterCursor(["d.created_at", "d.id"], cursor)}`;
  const rows = await all<DropRow>(tx)`${selectDrops(where, limit + 1, assistantName)}`;
  const page = pageOf(rows.map(presentSentDrop), limit, byCreation);
  return { drops: page.rows, next_cursor: page.next_cursor };
}
