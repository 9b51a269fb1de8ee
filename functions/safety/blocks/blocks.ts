import { sql } from "kysely";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { type PageQuery, pageOf } from "#http/response/paging";
import type { Block } from "./schema.ts";

/** A page of the caller's blocks, newest first. */
export async function listBlocks(tx: Tx, { cursor, limit }: PageQuery) {
  const rows = await selectBlocks(tx)
    .where(afterCursor(["b.created_at", "b.blocked_id"], cursor))
    .orderBy("b.created_at", "desc")
    .orderBy("b.blocked_id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => ({ at: row.created_at, id: row.user_id }));
  return { blocks: page.rows, next_cursor: page.next_cursor };
}

/**
 * Blocks a user, unless the caller did so before.
 * @throws AppError 400 for the caller and for the assistant, 404 for an unknown user
 */
export async function createBlock(tx: Tx, userId: string, now: Date): Promise<{ block: Block; isNew: boolean }> {
  const isNew = await call(tx, "create_block", { userId, moment: now });
  const block = await selectBlocks(tx).where("b.blocked_id", "=", userId).executeTakeFirstOrThrow();
  return { block, isNew };
}

/** Ends a block of the caller. @throws AppError 404 */
export async function deleteBlock(tx: Tx, userId: string): Promise<void> {
  if (!(await call(tx, "delete_block", { userId }))) throw new AppError("block.not_found");
}

function selectBlocks(tx: Tx) {
  return tx
    .selectFrom("blocks as b")
    .innerJoin("profiles as p", "p.id", "b.blocked_id")
    .select(["b.blocked_id as user_id", "b.created_at"])
    .select(sql<string | null>`case when b.is_named then p.full_name end`.as("full_name"));
}
