import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { pageOf } from "@nectar/http/paging";
import type { TransactionQuery } from "./schema.ts";

/** The caller's balance. @throws AppError 401 when the account is gone although its token still lives */
export async function readBalance(tx: Tx, userId: string): Promise<number> {
  const account = await tx
    .selectFrom("accounts")
    .select("drops_balance")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (account === undefined) throw new AppError("auth.unknown_account");
  return account.drops_balance;
}

/** A page of the caller's movements, newest first. */
export async function listTransactions(tx: Tx, userId: string, { type, cursor, limit }: TransactionQuery) {
  let list = tx
    .selectFrom("drop_transactions")
    .select(["id", "type", "amount", "balance_after", "description", "item_id", "item_type", "created_at"])
    .where("user_id", "=", userId)
    .where(afterCursor(["created_at", "id"], cursor));
  if (type !== undefined) list = list.where("type", "=", type);
  const rows = await list
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (transaction) => ({ at: transaction.created_at, id: transaction.id }));
  return { transactions: [...page.rows], next_cursor: page.next_cursor };
}
