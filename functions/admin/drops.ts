import type { DropTransaction } from "@nectar/core/drop-transaction";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { raisedCode } from "@nectar/database/errors";
import { one } from "@nectar/database/query";
import { type RawBuilder, sql } from "kysely";
import type { Adjustment, Refund } from "./schema.ts";

const columns = sql.raw("m.id, m.type, m.amount, m.balance_after, m.description, m.item_id, m.item_type, m.created_at");

/**
 * Adjusts a balance. The database allows it to super admins only.
 * @throws AppError 404 for an unknown user, 409 if the balance would become negative or too high
 */
export async function adjustDrops(tx: Tx, { user_id, amount, description }: Adjustment) {
  try {
    return await book(tx, sql`private.adjust_drops(${user_id}, ${amount}, ${description})`);
  } catch (error) {
    if (raisedCode(error) !== "drops.insufficient_balance") throw error;
    throw new AppError("drops.balance_would_be_negative", { cause: error });
  }
}

/**
 * Refunds a purchase. The database allows it to super admins only.
 * @throws AppError 404 for an unknown transaction, 409 if it is not a purchase or was refunded before, or if the
 *   balance would become too high
 */
export async function refundPurchase(tx: Tx, { transaction_id, description }: Refund) {
  return book(tx, sql`private.refund_purchase(${transaction_id}, ${description ?? "Refund"})`);
}

async function book(tx: Tx, movement: RawBuilder<unknown>) {
  const transaction = await one<DropTransaction>(tx)`select ${columns} from ${movement} m`;
  return { transaction, balance: transaction.balance_after };
}
