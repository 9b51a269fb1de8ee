import * as z from "zod";
import { ENUMS } from "../enums.generated.ts";

/** Why a balance of drops changed. */
export const DropTransactionType = z.enum(ENUMS.drop_transaction_type);

/** A row of the ledger of drops. */
export const DropTransaction = z
  .object({
    id: z.guid(),
    type: DropTransactionType,
    amount: z.int().meta({ description: "In drops; negative if they were taken from the balance." }),
    balance_after: z.int().meta({ description: "In drops." }),
    description: z.string(),
    item_id: z.guid().nullable().meta({ description: "What was bought or refunded; null for other types." }),
    item_type: z.string().nullable().meta({ description: "Such as `tone_pack`; null if item_id is." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "DropTransaction" });
export type DropTransaction = z.infer<typeof DropTransaction>;
