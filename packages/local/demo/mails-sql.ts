import type pg from "pg";
import { mails, providerIdOf } from "./mails.ts";
import { idOf, moment, readPast } from "./past.ts";

/**
 * Writes the mails of the people in demo_people and what the provider reported about them, and one to us. The mails are
 * inserted, because the function of the API counts a mail only now, not in the past.
 */
export async function writeMails(client: pg.Client): Promise<void> {
  const past = await readPast(client);
  for (const mail of mails) {
    const at = moment(past, mail.daysAgo, mail.at);
    const { from, to, outcome } = mail;
    const { rows } = await client.query<{ id: string }>(
      `insert into private.email_messages (user_id, recipient, subject, state, provider_id, created_at, updated_at)
       values ($1, $2, $3, 'sent', $4, $5::timestamptz, $5::timestamptz) returning id`,
      [idOf(past, from), to, mail.subject, providerIdOf(mail), at],
    );
    await client.query("select private.record_email_event($1, true, $2, $3::timestamptz, $4, $5, $6, $7, $8)", [
      `msg_demo_${providerIdOf(mail)}`,
      `email.${outcome}`,
      at,
      outcome,
      rows[0]?.id,
      providerIdOf(mail),
      to,
      outcome === "bounced",
    ]);
  }
  await client.query(
    `insert into private.email_received
       (event_id, is_verified, sender, recipients, subject, body_text, content_fetched_at, created_at)
     values
       ('msg_demo_received', true, 'Vera <vera@letters.example>', '{hello@nectar.local}', 'Thank you', $1,
        $2::timestamptz, $2::timestamptz)`,
    [
      "My grandmother reads her drops to me on the telephone. Please thank whoever keeps this running.",
      moment(past, 2, "19:05"),
    ],
  );
}
