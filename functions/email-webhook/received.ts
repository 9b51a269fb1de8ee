import type { Tx } from "@nectar/database/database";
import { ReceivedMail } from "./schema.ts";

/** Stores a mail to us, as its event tells of it. */
export async function storeReceived(
  tx: Tx,
  event: { readonly id: string; readonly isVerified: boolean },
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const mail = ReceivedMail.parse(data);
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
