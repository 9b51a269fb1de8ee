import { z } from "zod";

/** Why a balance of drops changed. */
export const DropTransactionType = z.enum([
  "signup_bonus",
  "monthly_recurring",
  "purchase",
  "refund",
  "admin_adjustment",
]);

/** A row of the ledger of drops. */
export const DropTransaction = z
  .object({
    id: z.guid(),
    type: DropTransactionType,
    amount: z.int().meta({ description: "Negative when the person pays." }),
    balance_after: z.int(),
    description: z.string(),
    item_id: z.guid().nullable(),
    item_type: z.string().nullable(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "DropTransaction" });
export type DropTransaction = z.infer<typeof DropTransaction>;
