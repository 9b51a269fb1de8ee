import { DropTransaction, DropTransactionType } from "@nectar/core/drop-transaction";
import { NextCursor, pageFields } from "@nectar/http/paging";
import * as z from "zod";

export const TransactionQuery = z.object({
  ...pageFields(),
  type: DropTransactionType.optional().meta({ description: "Only transactions of this type." }),
});
export type TransactionQuery = z.output<typeof TransactionQuery>;

export const BalanceResponse = z.object({
  balance: z.int().meta({ description: "In drops." }),
  drops_balance: z.int().meta({ description: "The same number, under the name that it has in the profile." }),
});
export const TransactionsResponse = z.object({ transactions: z.array(DropTransaction), next_cursor: NextCursor });
export const MonthlyAwardResponse = z.object({
  awarded: z.boolean().meta({ description: "false if you already have the drops of this month." }),
  amount: z.int().meta({ description: "Drops that you got by this call." }),
  balance: z.int().meta({ description: "Your balance in drops." }),
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: "The UTC calendar month, YYYY-MM." }),
});
export type MonthlyAwardResponse = z.infer<typeof MonthlyAwardResponse>;
