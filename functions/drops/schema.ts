import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";

const TransactionType = z.enum(["signup_bonus", "monthly_recurring", "purchase", "refund", "admin_adjustment"]);

/** One movement of the ledger. */
export const DropTransaction = z
  .object({
    id: z.guid(),
    type: TransactionType,
    amount: z.int().meta({ description: "Negative when the person pays." }),
    balance_after: z.int(),
    description: z.string(),
    item_id: z.guid().nullable(),
    item_type: z.string().nullable(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "DropTransaction" });
export type DropTransaction = z.infer<typeof DropTransaction>;

/** The query of the list of movements. */
export const TransactionQuery = z.object({ ...pageFields(), type: TransactionType.optional() });
export type TransactionQuery = z.output<typeof TransactionQuery>;

export const BalanceAnswer = z.object({
  balance: z.int(),
  drops_balance: z.int().meta({ description: "The same number under the name that the profile uses." }),
});
export const TransactionsAnswer = z.object({ transactions: z.array(DropTransaction), next_cursor: NextCursor });
export const MonthlyAwardAnswer = z.object({
  awarded: z.boolean(),
  amount: z.int().meta({ description: "Drops given by this call; 0 when nothing was due." }),
  balance: z.int(),
  month: z.string().regex(/^\d{4}-\d{2}$/),
});
export type MonthlyAwardAnswer = z.infer<typeof MonthlyAwardAnswer>;
