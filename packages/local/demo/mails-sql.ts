import type pg from "pg";
import { mails, providerIdOf } from "./mails.ts";
import { actAs, moment, readPast } from "./past.ts";

/** Counts the mails of the people in demo_people, as the API does, and what the provider told of them; and stores one to us. */
export async function writeMails(client: pg.Client): Promise<void> {
  const past = await readPast(client);
  for (const mail of mails) {
    const at = moment(past, mail.daysAgo, mail.at);
    const { from, to, outcome } = mail;
    await actAs(past, from);
    const { rows } = await client.query<{ message_id: string }>(
      "select message_id from private.begin_email($1, 'any', null, $2::timestamptz)",
      [to, at],
    );
    await client.query("select private.end_email($1, $2)", [rows[0]?.message_id, providerIdOf(mail)]);
    await client.query("select private.record_email_event($1, true, $2, $3::timestamptz, $4, $5, $6, $7, $8)", [
      `msg_demo_${providerIdOf(mail)}`,
      `email.${outcome}`,
      at,
      outcome,
      rows[0]?.message_id,
      providerIdOf(mail),
      to,
      outcome === "bounced",
    ]);
  }
  await actAs(past, null);
  await client.query(
    `insert into private.email_received (event_id, is_verified, sender, recipients, subject, body_text, created_at)
     values ('msg_demo_received', true, 'Vera <vera@letters.example>', '{hello@nectar.local}', 'Thank you', $1, $2)`,
    [
      "My grandmother reads her drops to me on the telephone. Please thank whoever keeps this running.",
      moment(past, 2, "19:05"),
    ],
  );
}
