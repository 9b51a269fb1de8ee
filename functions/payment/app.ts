import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import { answer } from "@nectar/http/answer";
import { configured } from "@nectar/http/configured";
import type { AppContext } from "@nectar/http/context";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { json } from "@nectar/http/validate";
import { CheckoutResponse, NewCheckout, NewPortal, PortalResponse, SubscriptionResponse } from "./schema.ts";
import { checkReturnUrls, customerForCheckout, customerForPortal, readSubscription } from "./subscriptions.ts";

/** Subscriptions. People pay on the payment processor's pages; the group payment-webhook hears about it. */
export function paymentApp(services: Services) {
  const { config } = services;
  return createApp(services)
    .post(
      "/api/payment/create-checkout-session",
      describe({ summary: "Begin to subscribe", response: CheckoutResponse, errors: [409, 500, 503] }),
      user,
      json(NewCheckout),
      (c) => {
        const { priceId, successUrl, cancelUrl } = c.req.valid("json");
        const { userId, email } = c.var.actor;
        checkReturnUrls(config.appOrigins, { successUrl, cancelUrl });
        const payments = configured(services.payments);
        const prices = config.stripe?.priceIds ?? [];
        if (prices.length > 0 && !prices.includes(priceId)) {
          throw new AppError("payment.unknown_price");
        }
        const idempotencyKey = processorKey(c);
        return respondInPhases(c, 200, {
          before: (tx) => customerForCheckout(tx, userId),
          during: (customerId) =>
            payments.createCheckout({
              userId,
              email,
              customerId,
              priceId,
              successUrl,
              cancelUrl,
              ...(idempotencyKey === null ? {} : { idempotencyKey }),
            }),
          after: async (_tx, _customerId, session) => session,
        });
      },
    )
    .post(
      "/api/payment/create-portal-session",
      describe({
        summary: "Open the pages on which the caller manages the subscription",
        description: "404 if you never subscribed, or if the payment processor no longer knows you.",
        response: PortalResponse,
        errors: [404, 500, 503],
      }),
      user,
      json(NewPortal),
      (c) => {
        const { returnUrl } = c.req.valid("json");
        checkReturnUrls(config.appOrigins, { returnUrl });
        const payments = configured(services.payments);
        return respondInPhases(c, 200, {
          before: (tx) => customerForPortal(tx, c.var.actor.userId),
          during: (customerId) => payments.createPortal({ customerId, returnUrl }),
          after: async (_tx, _customerId, portal) => portal,
        });
      },
    )
    .get(
      "/api/payment/subscription",
      describe({
        summary: "Read the caller's subscription",
        description: "The active one, else the newest; null when there never was one.",
        response: SubscriptionResponse,
      }),
      user,
      async (c) => {
        const subscription = await c.var.asUser((tx) => readSubscription(tx, c.var.actor.userId));
        return answer(c, 200, { subscription });
      },
    );
}

/** The caller's key made the processor's, where all callers share one space of keys; another body makes another key. */
function processorKey(c: AppContext): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  return createHash("sha256")
    .update(JSON.stringify([c.var.actor.userId, key, c.var.bodyText]))
    .digest("hex");
}
