import type { Tx } from "@nectar/database/database";
import { z } from "zod";

const MAX_HEADER = 1_000;
const MAX_ID = 255;
const MAX_BODY = 256 * 1024;
const MAX_RECIPIENTS = 50;

/** Text from outside, made what can be stored: cut off rather than refused, which would have it sent again for days. */
function bounded(max: number) {
  return z.string().transform((value) => value.replaceAll("\u0000", "").slice(0, max).toWellFormed());
}

const Received = z.object({
  email_id: bounded(MAX_ID).nullish().catch(null),
  from: bounded(MAX_HEADER).catch(""),
  to: z
    .array(bounded(MAX_HEADER))
    .catch([])
    .transform((addresses) => addresses.slice(0, MAX_RECIPIENTS)),
  subject: bounded(MAX_HEADER).catch(""),
  text: bounded(MAX_BODY).nullish().catch(null),
  html: bounded(MAX_BODY).nullish().catch(null),
});

/** Stores a mail to us, as its event tells of it. */
export async function storeReceived(
  tx: Tx,
  event: { readonly id: string; readonly isVerified: boolean },
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const mail = Received.parse(data);
  await tx
    .insertInto("private.email_received")
    .values({
      event_id: event.id,
      is_verified: event.isVerified,
      provider_id: mail.email_id ?? null,
      sender: mail.from,
      recipients: mail.to,
      subject: mail.subject,
      body_text: mail.text ?? null,
      body_html: mail.html ?? null,
    })
    .execute();
}
