import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { mailEventsOf, receivedEvent } from "./mail-events.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET } });
const { deliver, sentMail, counts, receivedBy } = mailEventsOf(mail, api);

describe("a repeated event", () => {
  it("is accepted and has no second effect", async () => {
    const event = receivedEvent();
    const id = `msg_${randomUUID()}`;
    expect((await deliver(event, { id })).body).toEqual({ received: true });
    expect((await deliver(event, { id })).body).toEqual({ received: true, duplicate: true });
    expect(await receivedBy(id)).toHaveLength(1);
  });

  it("is new once when it arrives eight times at the same time", async () => {
    const event = receivedEvent();
    const id = `msg_${randomUUID()}`;
    const responses = await Promise.all(Array.from({ length: 8 }, () => deliver(event, { id })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(responses.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
    expect(await receivedBy(id)).toHaveLength(1);
  });

  it("of an unknown type is accepted as well", async () => {
    for (const type of ["contact.created", "email.opened", "domain.deleted", "x"]) {
      const id = `msg_${randomUUID()}`;
      const event = { type, created_at: "2026-11-21T08:00:00.000Z", data: { id: "1" } };
      expect((await deliver(event, { id })).body).toEqual({ received: true });
      expect((await deliver(event, { id })).body).toEqual({ received: true, duplicate: true });
    }
  });

  it("does not suppress an address again after its suppression was deleted", async () => {
    const sent = await sentMail();
    const id = `msg_${randomUUID()}`;
    await deliver(sent.event("complained"), { id });
    await api.query`delete from private.email_suppressions where address_hash = private.email_address_hash(${sent.to})`;
    expect((await deliver(sent.event("complained"), { id })).body.duplicate).toBe(true);
    expect(await sent.statusOfNext()).toBe("sent");
  });
});

it("an event whose type cannot be stored is accepted, and again", async () => {
  const id = `msg_${randomUUID()}`;
  const event = { type: "\u0000", data: {} };
  expect((await deliver(event, { id })).body).toEqual({ received: true });
  expect((await deliver(event, { id })).body).toEqual({ received: true, duplicate: true });
  expect(await api.query`select type from private.email_events where id = ${id}`).toEqual([{ type: "unknown" }]);
});

describe("an event that cannot be processed", () => {
  it.each([
    ["email_received", "insert", () => Promise.resolve(receivedEvent())],
    ["email_suppressions", "insert", async () => (await sentMail()).event("complained")],
    ["email_messages", "update", async () => (await sentMail()).event("delivered")],
  ])(
    "is 500 when %s fails, leaves nothing, and is processed when it is sent again",
    async (table, command, eventOf) => {
      const event = await eventOf();
      const id = `msg_${randomUUID()}`;
      const before = await counts();
      await api.query(
        `create function private.fail_for_a_test() returns trigger language plpgsql
         as $$ begin raise exception 'the disk is full'; end $$;
       create trigger fail_for_a_test after ${command} on private.${table}
         for each row execute function private.fail_for_a_test()`,
      );
      try {
        const body = await deliver(event, { id }).refused(500, "email.webhook_failed");
        expect(JSON.stringify(body)).not.toContain("disk");
        expect(await counts()).toEqual(before);
      } finally {
        await api.query`drop function private.fail_for_a_test() cascade`;
      }
      expect((await deliver(event, { id })).body).toEqual({ received: true });
      expect(await counts()).not.toEqual(before);
    },
  );
});
