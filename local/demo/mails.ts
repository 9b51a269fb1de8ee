import { DEMO_SECRETS } from "#config/demo-secrets";
import { unsubscribeHeaders } from "#core/people/unsubscribe-token";
import { addDays, utcDate } from "#core/time/calendar-date";
import type { StoredMail } from "../stand-ins/mail-requests.ts";
import { mails, personNamed } from "./data.ts";
import { idOf, moment, type Past, written } from "./past.ts";
import { insertRows, stableId } from "./rows.ts";

/**
 * Writes the mails and what the provider reported about them. They are inserted, because the function of the API counts a
 * mail only now, not in the past.
 */
export async function writeMails(past: Past): Promise<void> {
  const { client } = past;
  const sent = mails.map((mail) => ({ ...mail, id: mailId(mail), sentAt: moment(past, mail.daysAgo, mail.at) }));
  await insertRows(client, "private.email_messages", sent, ({ id, from, to, subject, sentAt }) => ({
    id,
    user_id: idOf(past, from),
    recipient: to,
    subject,
    state: "sent",
    provider_id: id,
    ...written(sentAt),
  }));
  const events = sent.map(({ id, to, outcome, sentAt }) => ({
    id: `msg_demo_${id}`,
    is_verified: true,
    type: `email.${outcome}`,
    happened_at: sentAt,
    delivery: outcome,
    message_id: id,
    provider_id: id,
    address: to,
    suppresses: outcome === "bounced",
  }));
  await client.query("select private.record_email_event(e) from jsonb_array_elements($1::jsonb) e", [
    JSON.stringify(events),
  ]);
}

/**
 * The mails as the stand-in for the mail provider keeps them, oldest first. It keeps them in memory, so it gets them at
 * every start, and their days count back from that.
 * @param urls.app address of the client app, for invitations
 * @param urls.api address of the API, for unsubscribing
 */
export function demoMailbox(startedAt: Date, urls: { readonly app: string; readonly api: string }): StoredMail[] {
  const unsubscribe = { url: `${urls.api}/api/email/unsubscribe`, secret: DEMO_SECRETS.EMAIL_UNSUBSCRIBE_SECRET };
  return mails.map((mail) => ({
    id: mailId(mail),
    from: "Nectar <hello@nectar.local>",
    to: [mail.to],
    replyTo: [personNamed(mail.from).email],
    subject: mail.subject,
    html: mail.html,
    text: mail.text?.replace("{app}", urls.app) ?? null,
    tags: {},
    headers: unsubscribeHeaders(mail.to, unsubscribe),
    createdAt: `${addDays(utcDate(startedAt), -mail.daysAgo)}T${mail.at}:00.000Z`,
    outcomes: ["sent", mail.outcome],
  }));
}

/** The id of a mail, in the database and at the provider. */
function mailId({ from, subject }: { from: string; subject: string }): string {
  return stableId(`mail ${from} ${subject}`);
}
