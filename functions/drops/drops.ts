import { AppError } from "#core/errors";
import { DropTransaction } from "#core/money/drop-transaction";
import type { Tx } from "#database/database";
import { readPage } from "#http/response/paging";
import type { TransactionQuery } from "./schema.ts";

/** The caller's balance. @throws AppError 401 if the account was deleted */
export async function readBalance(tx: Tx, userId: string): Promise<number> {
  const account = await tx
    .selectFrom("accounts")
    .select("drops_balance")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("auth.unknown_account"));
  return account.drops_balance;
}

/** A page of the caller's transactions, newest first. */
export async function listTransactions(tx: Tx, userId: string, { type, cursor, limit }: TransactionQuery) {
  let list = tx.selectFrom("drop_transactions").select(DropTransaction.keyof().options).where("user_id", "=", userId);
  if (type !== undefined) list = list.where("type", "=", type);
  const page = await readPage(list, { cursor, limit });
  return { transactions: page.rows, next_cursor: page.next_cursor };
}
