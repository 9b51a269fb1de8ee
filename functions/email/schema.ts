import { MailAddress } from "@nectar/core/mail-address";
import { text } from "@nectar/core/text";
import { z } from "zod";

/** Bytes that each of the two bodies may have in UTF-8. */
export const MAX_BODY_BYTES = 256 * 1024;

const Subject = z
  .string()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must not contain line breaks or other control characters")
  .pipe(text({ max: 255 }))
  .meta({ minLength: 1, maxLength: 255 });

const MailBody = z
  .string()
  .refine((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES, "must have at most 256 KB")
  .nullish()
  .transform((body) => (body === undefined || body === null || body.trim() === "" ? null : body))
  .meta({ description: "At most 256 KB in UTF-8; html or text or both must be there." });

/** The body that sends a mail. */
export const NewMail = z
  .object({ to: MailAddress, subject: Subject, html: MailBody, text: MailBody })
  .refine(({ html, text: plain }) => html !== null || plain !== null, {
    path: ["text"],
    message: "must be given when there is no html",
    // Also beside other problems: all of them are reported at once.
    when: ({ value }) => typeof value === "object" && value !== null,
  })
  .meta({ id: "NewMail" });
export type NewMail = z.output<typeof NewMail>;

export const SentAnswer = z.object({
  success: z.literal(true),
  message_id: z.guid(),
  status: z
    .enum(["sent", "suppressed"])
    .meta({ description: "`suppressed`: this address gets no mail, so none was sent." }),
});
export type SentAnswer = z.infer<typeof SentAnswer>;
