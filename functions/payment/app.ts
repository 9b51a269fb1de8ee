import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { inWords } from "#core/text/numbers";
import { user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { listPrices, PRICES_KEPT_MS } from "./prices.ts";
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
    endpointInSteps(
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
      async ({ commit, respond, actor, body, header, bodyText }) => {
        const { priceId, successUrl, cancelUrl } = body;
        const { payments, customerId } = await commit(async (tx) => {
          checkReturnUrls(config.appOrigins, { successUrl, cancelUrl });
          const prices = config.stripe?.priceIds ?? [];
          if (prices.length > 0 && !prices.includes(priceId)) throw new AppError("payment.unknown_price");
          return { payments: configured(services.payments), customerId: await customerForCheckout(tx, actor.userId) };
        });
        const key = header("idempotency-key");
        const session = await payments.createCheckout({
          ...actor,
          ...body,
          customerId,
          idempotencyKey: key === undefined ? null : processorKey(actor.userId, key, bodyText),
        });
        // The transaction fails with 401 if the account was deleted during the call, so that its owner does not pay for it.
        return respond(async () => session);
      },
    ),
    endpointInSteps(
      "POST /api/payment/create-portal-session",
      {
        id: "createPortalSession",
        summary: "Manage your subscription",
        description:
          "Returns the page of the payment processor to open. 404 if you never subscribed, or if the payment processor no longer knows you.",
        guard: user,
        // A subscription can be cancelled there.
        access: "write while suspended",
        body: NewPortal,
        response: PortalResponse,
        errors: ["payment.no_customer", "provider.failed", "provider.not_configured"],
      },
      async ({ commit, respond, actor, body }) => {
        const { payments, customerId } = await commit(async (tx) => {
          checkReturnUrls(config.appOrigins, body);
          return { payments: configured(services.payments), customerId: await customerForPortal(tx, actor.userId) };
        });
        const portal = await payments.createPortal({ customerId, returnUrl: body.returnUrl });
        // As above: 401 if the account was deleted during the call.
        return respond(async () => portal);
      },
    ),
    endpointInSteps(
      "GET /api/payment/prices",
      {
        id: "listPrices",
        summary: "List the prices that you can subscribe to",
        description: `What \`priceId\` of a checkout session may be. A price that was changed at the payment processor shows after at most ${inWords(PRICES_KEPT_MS / 1_000)}.`,
        guard: user,
        access: "read",
        response: PricesResponse,
        errors: ["provider.failed", "provider.not_configured"],
      },
      async ({ read, now }) => {
        const prices = await listPrices(services, now);
        // As above: 401 if the account was deleted.
        await read(async () => {});
        return { prices };
      },
    ),
    endpoint(
      "GET /api/payment/subscription",
      {
        id: "readSubscription",
        summary: "Read your subscription",
        description: "The active one, or the newest if none is active; null if you never subscribed.",
        guard: user,
        replica: "own",
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
