import { AppError } from "@nectar/core/errors";
import { runAsService } from "@nectar/database/retry";
import { answer } from "@nectar/http/answer";
import { configured } from "@nectar/http/configured";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { readTextBody } from "@nectar/http/request-body";
import type { Services } from "@nectar/http/services";
import { receiptFor, WebhookReceipt } from "@nectar/http/webhook-receipt";
import { verifyPaymentEvent } from "@nectar/providers/payments";
import { type PaymentEvent, readEvent, recordEvent } from "./events.ts";

/** Receives what the payment processor reports about subscriptions. */
export function paymentWebhookApp(services: Services) {
  const { config, database, clock, logger } = services;
  return createApp(services).post(
    "/api/payment/webhook",
    describe({
      summary: "Receive an event of the payment processor",
      description:
        "The header `stripe-signature` must match the raw body and be at most five minutes old. A signed event of an unknown shape is accepted and has no effect.",
      response: WebhookReceipt,
      errors: [400, 413, 500, 503],
    }),
    async (c) => {
      const secret = configured(config.stripeWebhookSecret);
      const body = await readTextBody(c);
      await verifyPaymentEvent(secret, { body, signature: c.req.header("stripe-signature") }, clock.now());
      const event = readEvent(body, clock.now());
      if (event.isOdd) logger.warn({ request_id: c.var.requestId }, "a payment event has an unknown shape");
      return answer(c, 200, receiptFor(await record(database, event)));
    },
  );
}

/** @throws AppError payment.webhook_failed, upon which the processor sends the event again */
async function record(database: Services["database"], event: PaymentEvent): Promise<boolean> {
  try {
    return await runAsService(database, (tx) => recordEvent(tx, event));
  } catch (error) {
    throw new AppError("payment.webhook_failed", { cause: error });
  }
}
