import type { StoredMail } from "../stand-ins/mail-requests.ts";
import { mails, providerIdOf } from "./mails.ts";
import { people } from "./people.ts";

/**
 * The mails of the demo data as the stand-in for the mail provider keeps them, oldest first. It keeps them in memory, so
 * it gets them at every start, and their days count back from that.
 */
export function demoMailbox(startedAt: Date): StoredMail[] {
  return mails.map((mail) => ({
    id: providerIdOf(mail),
    from: "Nectar <hello@nectar.local>",
    to: [mail.to],
    replyTo: [people[mail.from].email],
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    tags: {},
    createdAt: sentAt(startedAt, mail.daysAgo, mail.at),
    told: ["sent", mail.outcome],
  }));
}

function sentAt(startedAt: Date, daysAgo: number, time: string): string {
  const day = new Date(startedAt);
  day.setUTCDate(day.getUTCDate() - daysAgo);
  return `${day.toISOString().slice(0, 10)}T${time}:00.000Z`;
}
