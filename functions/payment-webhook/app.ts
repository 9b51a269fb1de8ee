import { AppError } from "#core/errors";
import { MAX_EVENT_AGE_SECONDS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import { runAsService } from "#database/retry";
import { anyone } from "#http/access/guards";
import { endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { signedText } from "#http/request/inputs";
import { receiptFor, WebhookReceipt } from "#http/response/webhook-receipt";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { verifyPaymentEvent } from "#providers/payments";
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
        description: `The header \`stripe-signature\` must match the raw body and be at most ${inWords(MAX_EVENT_AGE_SECONDS)} old. Unknown event types are accepted and ignored.`,
        guard: anyone,
        body: signedText,
        maxBodyKb: 1024,
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
