import { z } from "zod";

/** What a webhook responds to an event that it accepted. */
export const WebhookReceipt = z.object({
  received: z.literal(true),
  duplicate: z
    .literal(true)
    .optional()
    .meta({ description: "The event was received before and had no second effect." }),
});
export type WebhookReceipt = z.infer<typeof WebhookReceipt>;

/** The receipt for an event. @param isNew false when the same event was received before */
export function receiptFor(isNew: boolean): WebhookReceipt {
  return isNew ? { received: true } : { received: true, duplicate: true };
}
