import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { readTextBody } from "@nectar/http/request-body";
import type { Services } from "@nectar/http/services";
import { receiptFor, WebhookReceipt } from "@nectar/http/webhook-receipt";
import { takeEvent } from "./events.ts";
import { fetchReceived } from "./received.ts";

/** Receives what the mail provider reports: deliveries of sent mail, and mail to the service. */
export function emailWebhookApp(services: Services) {
  return createApp(services)
    .post(
      "/api/email/webhook",
      describe({
        summary: "Receive an event of the mail provider",
        description:
          "With a secret configured, the headers `svix-id`, `svix-timestamp` and `svix-signature` must match the raw body and be at most five minutes old. Without one every event is accepted, but none suppresses an address.",
        response: WebhookReceipt,
        errors: [400, 413, 500, 503],
      }),
      async (c) => {
        const isNew = await takeEvent(services, {
          body: await readTextBody(c),
          id: c.req.header("svix-id"),
          timestamp: c.req.header("svix-timestamp"),
          signature: c.req.header("svix-signature"),
        });
        return answer(c, 200, receiptFor(isNew));
      },
    )
    .post(
      ...cronRoute(fetchReceived, { summary: "Fetch the text of received mail that is still missing (scheduled)" }),
    );
}
