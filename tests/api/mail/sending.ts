import { randomUUID } from "node:crypto";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

export const someone = () => `${randomUUID().slice(0, 8)}@example.test`;

/** A valid mail to a new address. */
export const letter = (more: object = {}) => ({
  to: someone(),
  subject: "Good news",
  html: "<p>Hi</p>",
  text: "Hi",
  ...more,
});

/** Sends mails through an API, and reads and changes what it stores about them. */
export function mailsOf(api: TestApi) {
  return {
    send: (as: Person, body: unknown, headers?: Record<string, string>) =>
      api.post("/api/email/send", as, body, headers),

    rowsOf: (person: Person) =>
      api.query`select * from private.email_messages where user_id = ${person.id} order by created_at`,

    suppress: (address: string) =>
      api.query`insert into private.email_suppressions (address_hash, reason, event_id)
        values (private.email_address_hash(${address}), 'bounced', 'e')`,
  };
}
