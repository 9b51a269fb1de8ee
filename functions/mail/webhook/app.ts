import { MAX_EVENT_AGE_SECONDS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import { anyone } from "#http/access/guards";
import { endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { signedText } from "#http/request/inputs";
import { receiptFor, WebhookReceipt } from "#http/response/webhook-receipt";
import type { Services } from "#http/services/services";
import { processEvent } from "./events.ts";
import { fetchReceived } from "./received.ts";

/** Receives the events of the mail provider: deliveries of sent mail, and mail to the service. */
export function emailWebhookApp(services: Services) {
  return groupApp(services, "email-webhook", [
    endpointInSteps(
      "POST /api/email/webhook",
      {
        id: "receiveEmailEvent",
        summary: "Receive an event of the mail provider",
        description: `If a secret is configured, the headers \`svix-id\`, \`svix-timestamp\` and \`svix-signature\` must match the raw body and be at most ${inWords(MAX_EVENT_AGE_SECONDS)} old. Without a secret every event is accepted, but none can suppress an address.`,
        guard: anyone,
        body: signedText,
        maxBodyKb: 1024,
        response: WebhookReceipt,
        errors: ["request.invalid", "email.invalid_signature", "email.webhook_failed", "provider.not_configured"],
      },
      async ({ body, header }) => {
        const isNew = await processEvent(services, {
          body,
          id: header("svix-id"),
          timestamp: header("svix-timestamp"),
          signature: header("svix-signature"),
        });
        return receiptFor(isNew);
      },
    ),
    jobEndpoint(fetchReceived, {
      id: "fetchReceivedEmails",
      summary: "Fetch the missing text of received mail (scheduled)",
    }),
  ]);
}
