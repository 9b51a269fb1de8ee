import { randomUUID } from "node:crypto";
import type { MailStandIn } from "#local/stand-ins/mail";
import { svixHeaders } from "#local/stand-ins/webhooks";
import type { TestApi } from "#tests/api";
import { MAIL_SECRET } from "#tests/mail";
import { someone } from "./sending.ts";

export interface MailEvent {
  readonly type: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}

export const secondsNow = () => Math.floor(Date.now() / 1000);

/** Delivers events of the mail provider to an API, and reads what they changed. */
export function mailEventsOf(mail: MailStandIn, api: TestApi) {
  return {
    /** Delivers an event as the provider does, with a signature. */
    deliver(event: unknown, { secret = MAIL_SECRET, id = `msg_${randomUUID()}`, at = secondsNow() } = {}) {
      const body = JSON.stringify(event);
      return api.send("POST", "/api/email/webhook", { body, headers: { ...svixHeaders(body, secret, id, at) } });
    },

    /** Delivers an event without a signature, or with the given headers. */
    deliverUnsigned(event: unknown, headers: Record<string, string> = {}) {
      return api.send("POST", "/api/email/webhook", { body: JSON.stringify(event), headers });
    },

    /** Sends a mail. @returns its id, makers of events about it, its delivery, and the status of another mail to its address */
    async sentMail() {
      const person = await api.person();
      const to = someone();
      const { body } = await api.post("/api/email/send", person, { to, subject: "Hi", text: "Hi" });
      const sent = mail.mails.find(({ tags }) => tags.nectar_message === body.message_id);
      if (sent === undefined) throw new Error("The mail was not sent.");
      const event = (outcome: string, more: Record<string, unknown> = {}): MailEvent => ({
        type: `email.${outcome}`,
        created_at: "2026-11-21T08:00:00.000Z",
        data: { email_id: sent.id, to: [to], from: sent.from, subject: "Hi", tags: sent.tags, ...more },
      });
      return {
        id: String(body.message_id),
        to,
        event,
        bounce: (type: string) => event("bounced", { bounce: { type, subType: "General", message: "No." } }),
        delivery: () =>
          api.one`select delivery, delivery_is_verified as verified from private.email_messages
            where id = ${body.message_id}`,
        statusOfNext: async () =>
          (await api.post("/api/email/send", person, { to: to.toUpperCase(), subject: "Hi", text: "Hi" })).body.status,
      };
    },

    /** How many rows events have left. */
    counts: () =>
      api.one`select (select count(*)::int from private.email_events) as events,
        (select count(*)::int from private.email_received) as received,
        (select count(*)::int from private.email_suppressions) as suppressed,
        (select count(*)::int from private.email_messages where delivery is not null) as delivered`,

    receivedBy: (eventId: string) => api.query`select * from private.email_received where event_id = ${eventId}`,
  };
}

/** An event about a mail to the service. */
export function receivedEvent(more: Record<string, unknown> = {}): MailEvent {
  return {
    type: "email.received",
    created_at: "2026-11-21T08:00:00.000Z",
    data: {
      email_id: randomUUID(),
      from: "Ada <ada@example.test>",
      to: ["hello@nectar.test", "team@nectar.test"],
      subject: "Hello",
      attachments: [],
      ...more,
    },
  };
}
