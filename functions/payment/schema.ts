import * as z from "zod";
import { WebLink } from "#core/text/links";
import { text } from "#core/text/text";

export const NewCheckout = z
  .object({
    priceId: text({ max: 255 }).meta({ description: "The `id` of one of the listed prices." }),
    successUrl: WebLink.meta({ description: "Where the browser goes after paying." }),
    cancelUrl: WebLink.meta({ description: "Where the browser goes if the user cancels." }),
  })
  .meta({ id: "NewCheckout" });
export type NewCheckout = z.output<typeof NewCheckout>;

export const NewPortal = z
  .object({ returnUrl: WebLink.meta({ description: "Where the browser goes afterwards." }) })
  .meta({ id: "NewPortal" });

export const Subscription = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    payment_customer_id: z.string().meta({ description: "Your id at the payment processor." }),
    payment_subscription_id: z.string().meta({ description: "The id of the subscription at the payment processor." }),
    status: z
      .string()
      .meta({ description: "As the payment processor calls it. You are premium while it is `active`." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Subscription" });
export type Subscription = z.infer<typeof Subscription>;

export const CheckoutResponse = z.object({
  sessionId: z.string().meta({ description: "The id of the session at the payment processor." }),
  url: z.string().meta({ description: "Open this page to pay." }),
});
export const PortalResponse = z.object({
  url: z.string().meta({ description: "Open this page to manage the subscription." }),
});
const Price = z
  .object({
    id: z.string().meta({ description: "The id of the price at the payment processor." }),
    name: z.string().meta({ description: "The name of the product." }),
    unit_amount: z.int().nullable().meta({
      description: "In the smallest unit of the currency, such as cents; null if it is not a fixed amount.",
    }),
    currency: z.string().meta({ description: "ISO 4217, in lower case." }),
    interval: z.string().nullable().meta({ description: "How often it is paid: day, week, month or year." }),
  })
  .meta({ id: "Price" });
export const PricesResponse = z.object({ prices: z.array(Price) });
export const SubscriptionResponse = z.object({
  subscription: Subscription.nullable().meta({ description: "null if you never subscribed." }),
});
