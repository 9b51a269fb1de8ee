import type { StoredMail } from "../stand-ins/mail-requests.ts";
import { mails, personNamed } from "./data.ts";
import { idOf, moment, type Past } from "./past.ts";
import { stableId } from "./rows.ts";

/**
 * Writes the mails, what the provider reported about them, and one to the service. The mails are inserted, because the
 * function of the API counts a mail only now, not in the past.
 */
export async function writeMails(past: Past): Promise<void> {
  const { client } = past;
  for (const mail of mails.sent) {
    const at = moment(past, mail.daysAgo, mail.at);
    const providerId = providerIdOf(mail);
    const { rows } = await client.query<{ id: string }>(
      `insert into private.email_messages (user_id, recipient, subject, state, provider_id, created_at, updated_at)
       values ($1, $2, $3, 'sent', $4, $5::timestamptz, $5::timestamptz) returning id`,
      [idOf(past, mail.from), mail.to, mail.subject, providerId, at],
    );
    await client.query("select private.record_email_event($1)", [
      JSON.stringify({
        id: `msg_demo_${providerId}`,
        is_verified: true,
        type: `email.${mail.outcome}`,
        happened_at: at,
        delivery: mail.outcome,
        message_id: rows[0]?.id,
        provider_id: providerId,
        address: mail.to,
        suppresses: mail.outcome === "bounced",
      }),
    ]);
  }
  const { from, subject, text, daysAgo, at } = mails.received;
  await client.query(
    `insert into private.email_received
       (event_id, is_verified, sender, recipients, subject, body_text, content_fetched_at, created_at)
     values ('msg_demo_received', true, $1, '{hello@nectar.local}', $2, $3, $4::timestamptz, $4::timestamptz)`,
    [from, subject, text, moment(past, daysAgo, at)],
  );
}

/**
 * The mails as the stand-in for the mail provider keeps them, oldest first. It keeps them in memory, so it gets them at
 * every start, and their days count back from that.
 */
export function demoMailbox(startedAt: Date): StoredMail[] {
  return mails.sent.map((mail) => {
    const day = new Date(startedAt);
    day.setUTCDate(day.getUTCDate() - mail.daysAgo);
    return {
      id: providerIdOf(mail),
      from: "Nectar <hello@nectar.local>",
      to: [mail.to],
      replyTo: [personNamed(mail.from).email],
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      tags: {},
      createdAt: `${day.toISOString().slice(0, 10)}T${mail.at}:00.000Z`,
      outcomes: ["sent", mail.outcome],
    };
  });
}

/** The provider's id of a mail, the same in its mailbox and in the database. */
function providerIdOf({ from, subject }: { from: string; subject: string }): string {
  return stableId(`mail ${from} ${subject}`);
}
