import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { byCreation, pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import { type AssistantCard, presentDrop, presentSentDrop, selectDrops } from "./drops.ts";
import type { EncouragementDrop, SentQuery } from "./schema.ts";

/** A page of the drops that the caller sent, newest first. */
export async function listSent(tx: Tx, userId: string, { cursor, limit }: SentQuery, assistant: AssistantCard) {
  const rows = await selectDrops(
    tx,
    sql`d.sender_id = ${userId} and ${afterCursor(["d.created_at", "d.id"], cursor)}`,
    limit + 1,
  );
  const drops = rows.map((row) => presentSentDrop(row, assistant));
  const page = pageOf(drops, limit, byCreation);
  return { drops: page.rows, next_cursor: page.next_cursor };
}

/** Reads a drop that the caller has just sent. */
export async function readNewDrop(tx: Tx, id: string, assistant: AssistantCard): Promise<EncouragementDrop> {
  const [drop] = await selectDrops(tx, sql`d.id = ${id}`, 1);
  if (drop === undefined) throw new Error("A drop that was just sent is not there.");
  return presentDrop(drop, assistant);
}
