import { WebLink } from "@nectar/core/links";
import { text } from "@nectar/core/text";
import { z } from "zod";

/** The body that begins a checkout. */
export const NewCheckout = z
  .object({ priceId: text({ max: 255 }), successUrl: WebLink, cancelUrl: WebLink })
  .meta({ id: "NewCheckout" });
export type NewCheckout = z.output<typeof NewCheckout>;

/** The body that opens the portal. */
export const NewPortal = z.object({ returnUrl: WebLink }).meta({ id: "NewPortal" });

/** A subscription at the payment processor. */
export const Subscription = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    payment_customer_id: z.string(),
    payment_subscription_id: z.string(),
    status: z.string().meta({ description: "As the payment processor names it; `active` makes the person premium." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Subscription" });
export type Subscription = z.infer<typeof Subscription>;

export const CheckoutResponse = z.object({ sessionId: z.string(), url: z.string() });
export const PortalResponse = z.object({ url: z.string() });
export const SubscriptionResponse = z.object({ subscription: Subscription.nullable() });
