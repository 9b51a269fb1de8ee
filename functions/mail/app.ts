import { MAIL_LIMITS } from "#core/mail-limits.generated";
import { KEPT_DAYS } from "#core/retention";
import { user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { PageQuery } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { recordMailResult, sendMail } from "#notifications/mail";
import { listMessages, readMessage } from "./messages.ts";
import { storedPolicy } from "./policy.ts";
import { EmailMessageResponse, EmailMessagesResponse, MessageId, NewMail, SentResponse } from "./schema.ts";
import { completeMail, prepareMail, requestKey } from "./sending.ts";
import { unsubscribeRoutes } from "./unsubscribe.ts";

/** Mails that users send through the mail provider. */
export function emailApp(services: Services) {
  const storePolicy = storedPolicy(services);
  return groupApp(services, "email", [
    endpointInSteps(
      "POST /api/email/send",
      {
        id: "sendEmail",
        summary: "Send an email to one address",
        description: `It is sent from the service's address; replies go to your own. At most ${MAIL_LIMITS.in_1_hours} per hour and ${MAIL_LIMITS.in_24_hours} per 24 hours, ${MAIL_LIMITS.in_24_hours_to_one_address} of them to the same address. If you repeat a request with the same Idempotency-Key, only one email is sent, even after an error.`,
        guard: user,
        body: NewMail,
        maxBodyKb: 1024,
        response: SentResponse,
        errors: [
          "email.sender_not_confirmed",
          "email.recipient_not_allowed",
          "email.quota_exhausted",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      async ({ commit, respond, body: mail, header, bodyText, now }) => {
        const provider = configured(services.email);
        await storePolicy();
        const sending = { requestKey: requestKey(header("idempotency-key"), bodyText), now };
        const prepared = await commit((tx) => prepareMail(tx, mail, sending));
        const sent = await sendMail(provider, mail, prepared).catch(async (error) => {
          await commit((tx) => recordMailResult(tx, prepared, null));
          throw error;
        });
        return respond((tx) => completeMail(tx, prepared, sent));
      },
    ),
    endpoint(
      "GET /api/email/messages",
      {
        id: "listEmailMessages",
        summary: "List the emails you sent",
        description: `Newest first. Address, subject and delivery status are kept for ${KEPT_DAYS.sentMails} days; the text is not kept.`,
        guard: user,
        replica: "own",
        query: PageQuery,
        response: EmailMessagesResponse,
      },
      ({ tx, actor, query }) => listMessages(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/email/messages/:id",
      {
        id: "readEmailMessage",
        summary: "Read the delivery status of an email you sent",
        guard: user,
        replica: "own",
        params: { id: MessageId },
        response: EmailMessageResponse,
        errors: ["email.message_not_found"],
      },
      async ({ tx, actor, params }) => ({ message: await readMessage(tx, actor.userId, params.id) }),
    ),
    ...unsubscribeRoutes,
  ]);
}
