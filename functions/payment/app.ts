import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import { configured } from "@nectar/http/configured";
import { endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import type { Services } from "@nectar/http/services";
import { listPrices } from "./prices.ts";
import {
  CheckoutResponse,
  NewCheckout,
  NewPortal,
  PortalResponse,
  PricesResponse,
  SubscriptionResponse,
} from "./schema.ts";
import { checkReturnUrls, customerForCheckout, customerForPortal, readSubscription } from "./subscriptions.ts";

/** Subscriptions. Users pay on the payment processor's pages; the group payment-webhook receives its events. */
export function paymentApp(services: Services) {
  const { config } = services;
  return groupApp(services, "payment", [
    phasedEndpoint(
      "POST /api/payment/create-checkout-session",
      {
        id: "createCheckoutSession",
        summary: "Start a subscription",
        description: "Returns the payment page to open.",
        guard: user,
        body: NewCheckout,
        response: CheckoutResponse,
        errors: ["payment.unknown_price", "payment.already_subscribed", "provider.failed", "provider.not_configured"],
      },
      {
        before: async ({ tx, actor, body: { priceId, successUrl, cancelUrl } }) => {
          checkReturnUrls(config.appOrigins, { successUrl, cancelUrl });
          const payments = configured(services.payments);
          const prices = config.stripe?.priceIds ?? [];
          if (prices.length > 0 && !prices.includes(priceId)) throw new AppError("payment.unknown_price");
          return { payments, customerId: await customerForCheckout(tx, actor.userId) };
        },
        during: ({ actor, body, header, bodyText }, { payments, customerId }) => {
          const key = header("idempotency-key");
          return payments.createCheckout({
            ...actor,
            ...body,
            customerId,
            idempotencyKey: key === undefined ? null : processorKey(actor.userId, key, bodyText),
          });
        },
        // The transaction fails with 401 if the account was deleted during the call, so that its owner does not pay for it.
        after: async (_request, _before, session) => session,
      },
    ),
    phasedEndpoint(
      "POST /api/payment/create-portal-session",
      {
        id: "createPortalSession",
        summary: "Manage your subscription",
        description:
          "Returns the page of the payment processor to open. 404 if you never subscribed, or if the payment processor no longer knows you.",
        guard: user,
        // A subscription can be cancelled there.
        whileSuspended: "allowed",
        body: NewPortal,
        response: PortalResponse,
        errors: ["payment.no_customer", "provider.failed", "provider.not_configured"],
      },
      {
        before: async ({ tx, actor, body }) => {
          checkReturnUrls(config.appOrigins, body);
          return { payments: configured(services.payments), customerId: await customerForPortal(tx, actor.userId) };
        },
        during: ({ body }, { payments, customerId }) =>
          payments.createPortal({ customerId, returnUrl: body.returnUrl }),
        // As above: 401 if the account was deleted during the call.
        after: async (_request, _before, portal) => portal,
      },
    ),
    phasedEndpoint(
      "GET /api/payment/prices",
      {
        id: "listPrices",
        summary: "List the prices that you can subscribe to",
        description:
          "What `priceId` of a checkout session may be. A price that was changed at the payment processor shows after at most ten minutes.",
        guard: user,
        statements: "any number",
        response: PricesResponse,
        errors: ["provider.failed", "provider.not_configured"],
      },
      {
        during: ({ now }) => listPrices(services, now),
        // As above: 401 if the account was deleted.
        after: async (_request, _before, prices) => ({ prices }),
      },
    ),
    endpoint(
      "GET /api/payment/subscription",
      {
        id: "readSubscription",
        summary: "Read your subscription",
        description: "The active one, or the newest if none is active; null if you never subscribed.",
        guard: user,
        response: SubscriptionResponse,
      },
      async ({ tx, actor }) => ({ subscription: await readSubscription(tx, actor.userId) }),
    ),
  ]);
}

/** The key of a request at the processor, where the keys of all users share one namespace. Another body has another key. */
function processorKey(userId: string, key: string, bodyText: string): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, key, bodyText]))
    .digest("hex");
}
