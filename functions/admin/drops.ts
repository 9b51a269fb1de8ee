import type { RawBuilder, Selectable } from "kysely";
import { AppError } from "#core/errors";
import { DropTransaction } from "#core/money/drop-transaction";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import { raisedCode } from "#database/errors";
import type { DropTransactions } from "#database/types.generated";
import type { Adjustment, Refund } from "./schema.ts";

/**
 * Adjusts a balance. The database allows it to super admins only.
 * @throws AppError 404 for an unknown user, 409 if the balance would become negative or too high
 */
export async function adjustDrops(tx: Tx, { user_id, amount, description }: Adjustment) {
  try {
    return await book(tx, called("adjust_drops", { userId: user_id, amount, description }));
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
  return book(tx, called("refund_purchase", { transactionId: transaction_id, description: description ?? "Refund" }));
}

async function book(tx: Tx, movement: RawBuilder<Selectable<DropTransactions>>) {
  const transaction = await tx
    .selectFrom(movement.as("m"))
    .select(DropTransaction.keyof().options)
    .executeTakeFirstOrThrow();
  return { transaction, balance: transaction.balance_after };
}
