import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { MailAddress } from "#core/text/mail-address";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor } from "#http/response/paging";

export const MessageId = Uuid.meta({ description: "The id of the email, `message_id` when you sent it." });

/** The maximum size of each of the two bodies in UTF-8. */
const MAX_BODY_KB = 256;

const SUBJECT = LENGTHS["private.email_messages"].subject;
const Subject = z
  .string()
  .max(4 * SUBJECT.max, { message: `must have at most ${SUBJECT.max} characters`, abort: true })
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must not contain line breaks or other control characters")
  .pipe(text(SUBJECT))
  .meta({ minLength: SUBJECT.min, maxLength: SUBJECT.max });

const MailBody = z
  .string()
  .refine((body) => Buffer.byteLength(body) <= MAX_BODY_KB * 1024, `must have at most ${MAX_BODY_KB} KB`)
  .nullish()
  .transform((body) => (body === undefined || body === null || body.trim() === "" ? null : body))
  .meta({ description: `At most ${MAX_BODY_KB} KB in UTF-8. Send html, text or both.` });

export const NewMail = z
  .object({ to: MailAddress, subject: Subject, html: MailBody, text: MailBody })
  .refine(({ html, text: plain }) => html !== null || plain !== null, {
    path: ["text"],
    message: "must be given if there is no html",
    // Also if other fields have problems: all are reported at once.
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .meta({ id: "NewMail" });
export type NewMail = z.output<typeof NewMail>;

export const SentResponse = z.object({
  success: z.literal(true),
  message_id: z.guid(),
  status: z
    .enum(["sent", "suppressed"])
    .meta({ description: "suppressed: this address does not receive mail, so nothing was sent." }),
});
export type SentResponse = z.infer<typeof SentResponse>;

export const Message = z
  .object({
    id: z.guid(),
    to: z.string(),
    subject: z.string(),
    status: z.enum(ENUMS.email_state).meta({
      description:
        "pending: being handed to the mail provider. sent: the provider accepted it. failed: the provider did not accept it, or did not respond. suppressed: this address does not receive mail.",
    }),
    delivery: z
      .enum(["sent", "delayed", "failed", "suppressed", "delivered", "bounced", "complained"])
      .nullable()
      .meta({
        description:
          "The last status that the mail provider reported; null if it did not get the mail. failed and suppressed: it accepted the mail and then did not send it.",
      }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "EmailMessage" });
export type Message = z.infer<typeof Message>;

export const EmailMessagesResponse = z.object({ messages: z.array(Message), next_cursor: NextCursor });
export const UnsubscribeQuery = z.object({
  token: z.string().max(200).meta({ description: "The token in the link of a mail." }),
});
export const EmailMessageResponse = z.object({ message: Message });
