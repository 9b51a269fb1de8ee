import { AppError } from "@nectar/core/errors";
import { runAsService } from "@nectar/database/retry";
import { configured } from "@nectar/http/configured";
import { endpointInSteps } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { anyone } from "@nectar/http/guards";
import { signedText } from "@nectar/http/inputs";
import type { Services } from "@nectar/http/services";
import { receiptFor, WebhookReceipt } from "@nectar/http/webhook-receipt";
import { verifyPaymentEvent } from "@nectar/providers/payments";
import { type PaymentEvent, readEvent, recordEvent } from "./events.ts";

/** Receives the events of the payment processor about subscriptions. */
export function paymentWebhookApp(services: Services) {
  const { config, database, logger } = services;
  return groupApp(services, "payment-webhook", [
    endpointInSteps(
      "POST /api/payment/webhook",
      {
        id: "receivePaymentEvent",
        summary: "Receive an event of the payment processor",
        description:
          "The header `stripe-signature` must match the raw body and be at most five minutes old. Unknown event types are accepted and ignored.",
        guard: anyone,
        body: signedText,
        response: WebhookReceipt,
        errors: ["payment.invalid_signature", "payment.webhook_failed", "provider.not_configured"],
      },
      async ({ body, header, now, requestId }) => {
        const secret = configured(config.stripeWebhookSecret);
        await verifyPaymentEvent(secret, { body, signature: header("stripe-signature") }, now);
        const event = readEvent(body, now);
        if (event.isMalformed) logger.warn({ request_id: requestId }, "a payment event has an unknown shape");
        return receiptFor(await record(database, event));
      },
    ),
  ]);
}

/** @throws AppError payment.webhook_failed; the processor then sends the event again */
async function record(database: Services["database"], event: PaymentEvent): Promise<boolean> {
  try {
    return await runAsService(database, (tx) => recordEvent(tx, event));
  } catch (error) {
    throw new AppError("payment.webhook_failed", { cause: error });
  }
}
