import { DropTransaction, DropTransactionType } from "@nectar/core/drop-transaction";
import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";

/** The query of the list of movements. */
export const TransactionQuery = z.object({ ...pageFields(), type: DropTransactionType.optional() });
export type TransactionQuery = z.output<typeof TransactionQuery>;

export const BalanceResponse = z.object({
  balance: z.int(),
  drops_balance: z.int().meta({ description: "The same number under the name that the profile uses." }),
});
export const TransactionsResponse = z.object({ transactions: z.array(DropTransaction), next_cursor: NextCursor });
export const MonthlyAwardResponse = z.object({
  awarded: z.boolean(),
  amount: z.int().meta({ description: "Drops given by this call; 0 when nothing was due." }),
  balance: z.int(),
  month: z.string().regex(/^\d{4}-\d{2}$/),
});
export type MonthlyAwardResponse = z.infer<typeof MonthlyAwardResponse>;
