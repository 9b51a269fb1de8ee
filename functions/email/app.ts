import { configured } from "@nectar/http/configured";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { json } from "@nectar/http/validate";
import { NewMail, SentAnswer } from "./schema.ts";
import { beginMail, endMail, failMail, handOver, requestKey } from "./sending.ts";

/** Mail that people send through the provider. */
export function emailApp(services: Services) {
  const { config, clock } = services;
  return createApp(services).post(
    "/api/email/send",
    describe({
      summary: "Send a mail to one address",
      description:
        "It comes from the service; answers go to the caller's own address. At most 20 in an hour and 50 in 24 hours, 5 of them to one address. A request that is tried again with the same Idempotency-Key sends one mail, also after an error.",
      response: SentAnswer,
      errors: [403, 409, 429, 500, 503],
    }),
    user,
    json(NewMail),
    (c) => {
      const mail = c.req.valid("json");
      const provider = configured(services.email, "Mail is not configured.");
      const sending = {
        policy: config.emailRecipientPolicy,
        requestKey: requestKey(c.req.header("idempotency-key"), c.var.bodyText),
        now: clock.now(),
      };
      return respondInPhases(c, 200, {
        begin: (tx) => beginMail(tx, mail.to, sending),
        outside: async (begun) => {
          try {
            return await handOver(provider, mail, begun);
          } catch (error) {
            await c.var.asUser((tx) => failMail(tx, begun));
            throw error;
          }
        },
        finish: endMail,
      });
    },
  );
}
