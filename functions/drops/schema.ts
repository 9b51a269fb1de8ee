import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { MAX_RECONCILIATION_DIFFERENCES } from "#core/limits";
import { DropTransaction, DropTransactionType } from "#core/money/drop-transaction";
import { NextCursor, pageFields } from "#http/response/paging";

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

export const Reconciliation = z
  .object({
    ok: z.boolean().meta({ description: "Whether there are no differences and the sums add up." }),
    checked_at: z.iso.datetime({ precision: 3 }),
    accounts: z.int().meta({ description: "Accounts that exist, synthetic ones included." }),
    movements: z.int().meta({ description: "Their transactions." }),
    issued: z
      .int()
      .meta({ description: "Signup bonuses and monthly drops that were ever given, also to deleted accounts." }),
    spent: z.int().meta({ description: "What was ever paid, also by deleted accounts; not negative." }),
    refunded: z.int().meta({ description: "What was ever paid back, also to deleted accounts." }),
    adjusted: z
      .int()
      .meta({ description: "What admins gave less what they took, also with deleted accounts; may be negative." }),
    erased: z.int().meta({ description: "The balances that deleted accounts had at their end." }),
    circulating: z.int().meta({
      description: "The sum of all balances. issued + refunded + adjusted - spent - erased, if everything is right.",
    }),
    differences: z
      .array(
        z.object({
          user_id: z.guid(),
          kind: z.enum(ENUMS.ledger_difference).meta({
            description: [
              "`balance`: the balance is not the sum of the transactions.",
              "`gap`: a transaction's `balance_after` does not follow from the one before it; the first such transaction.",
              "`negative`: the lowest balance that there ever was is below 0.",
              "`missing_signup_bonus`: a person got none.",
              "`twice_in_a_month`: more monthly awards were paid than there are months that were awarded.",
              "`purchase_without_pack`: of the tone packs that were paid for and not refunded, some are missing.",
              "`pack_without_purchase`: of the tone packs that someone bought and has, some were not paid for or are refunded.",
            ].join(" "),
          }),
          expected: z.int().meta({ description: "In drops, or the number of bonuses, months or packs." }),
          found: z.int(),
        }),
      )
      .meta({
        description: `At most ${MAX_RECONCILIATION_DIFFERENCES}, by kind in the order of the enum and then by user; one for each user and kind.`,
      }),
  })
  .meta({ id: "DropsReconciliation" });
export type Reconciliation = z.infer<typeof Reconciliation>;
export const ReconciliationResponse = z.object({ reconciliation: Reconciliation });
