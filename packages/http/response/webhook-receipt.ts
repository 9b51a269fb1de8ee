import * as z from "zod";

/** The response of a webhook to an event that it accepted. */
export const WebhookReceipt = z.object({
  received: z.literal(true),
  duplicate: z
    .literal(true)
    .optional()
    .meta({ description: "Present if the event was received before. It has no second effect." }),
});
export type WebhookReceipt = z.infer<typeof WebhookReceipt>;

/** The receipt for an event. @param isNew false when the same event was received before */
export function receiptFor(isNew: boolean): WebhookReceipt {
  return isNew ? { received: true } : { received: true, duplicate: true };
}
