import { answer } from "@nectar/http/answer";
import { configured } from "@nectar/http/configured";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import { listMessages, readMessage } from "./messages.ts";
import { storedPolicy } from "./policy.ts";
import { EmailMessageResponse, EmailMessagesResponse, NewMail, PageQuery, SentResponse } from "./schema.ts";
import { completeMail, failMail, prepareMail, requestKey, sendMail } from "./sending.ts";

/** Mail that people send through the provider. */
export function emailApp(services: Services) {
  const { clock } = services;
  const storePolicy = storedPolicy(services);
  return createApp(services)
    .post(
      "/api/email/send",
      describe({
        summary: "Send a mail to one address",
        description:
          "It comes from the service; answers go to the caller's own address. At most 20 in an hour and 50 in 24 hours, 5 of them to one address. A request that is tried again with the same Idempotency-Key sends one mail, also after an error.",
        response: SentResponse,
        errors: [403, 409, 429, 500, 503],
      }),
      user,
      json(NewMail),
      async (c) => {
        const mail = c.req.valid("json");
        const provider = configured(services.email);
        await storePolicy();
        const sending = {
          requestKey: requestKey(c.req.header("idempotency-key"), c.var.bodyText),
          now: clock.now(),
        };
        return respondInPhases(c, 200, {
          before: (tx) => prepareMail(tx, mail, sending),
          during: async (prepared) => {
            try {
              return await sendMail(provider, mail, prepared);
            } catch (error) {
              await c.var.asUser((tx) => failMail(tx, prepared));
              throw error;
            }
          },
          after: completeMail,
        });
      },
    )
    .get(
      "/api/email/messages",
      describe({
        summary: "List the mails that you sent, newest first",
        description: "Address, subject and delivery of the last 30 days. The text of a mail is not kept.",
        response: EmailMessagesResponse,
      }),
      user,
      query(PageQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listMessages(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .get(
      "/api/email/messages/:id",
      describe({ summary: "Read what became of a mail that you sent", response: EmailMessageResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const message = await c.var.asUser((tx) => readMessage(tx, c.var.actor.userId, id));
        return answer(c, 200, { message });
      },
    );
}
