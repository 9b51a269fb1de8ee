import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { svixHeaders } from "#local/stand-ins/webhooks";
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

  it("of an unknown type, or of one that cannot be stored, is accepted as well", async () => {
    for (const type of ["contact.created", "email.opened", "domain.deleted", "x", "\u0000"]) {
      const id = `msg_${randomUUID()}`;
      const event = { type, created_at: "2026-11-21T08:00:00.000Z", data: { id: "1" } };
      expect(await deliver(event, { id }).ok()).toEqual({ received: true });
      expect(await deliver(event, { id }).ok()).toEqual({ received: true, duplicate: true });
      const stored = type === "\u0000" ? "unknown" : type;
      expect(await api.query`select type from private.email_events where id = ${id}`).toEqual([{ type: stored }]);
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

describe("an event about a mail to the service", () => {
  it("stores the mail without the text of the event", async () => {
    const id = `msg_${randomUUID()}`;
    const event = receivedEvent({ text: "Hi there", html: "<p>Hi</p>" });
    await deliver(event, { id });
    expect(await receivedBy(id)).toMatchObject([
      {
        is_verified: true,
        provider_id: event.data.email_id,
        sender: "Ada <ada@example.test>",
        recipients: ["hello@nectar.test", "team@nectar.test"],
        subject: "Hello",
        body_text: null,
        body_html: null,
      },
    ]);
  });

  it("is accepted and cut to what can be stored, whatever is missing or malformed in it", async () => {
    const id = `msg_${randomUUID()}`;
    const to = Array.from({ length: 200 }, () => "t".repeat(1_500));
    await deliver(receivedEvent({ subject: "s".repeat(5_000), from: "f".repeat(5_000), to }), { id });
    const [row] = await receivedBy(id);
    expect(String(row?.subject)).toHaveLength(1_000);
    expect(String(row?.sender)).toHaveLength(1_000);
    expect(row?.recipients).toEqual(Array.from({ length: 50 }, () => "t".repeat(1_000)));
    const odd = { from: 1, to: "x", subject: "a\u0000b\ud800", email_id: null };
    await deliver(receivedEvent(odd), { id: `${id}_odd` });
    expect(await receivedBy(`${id}_odd`)).toMatchObject([
      { sender: "", recipients: [], subject: "ab\ufffd", provider_id: null },
    ]);
    await deliver({ type: "email.received" }, { id: `${id}_bare` }).ok();
    expect(await receivedBy(`${id}_bare`)).toHaveLength(1);
  });

  it("is 413 above one megabyte, and 400 if it is no event", async () => {
    await deliver(receivedEvent({ text: "x".repeat(1024 * 1024) })).refused(413);
    for (const event of [[], { data: {} }, { type: "", data: {} }])
      await deliver(event).refused(400, "request.invalid");
    const text = "no JSON";
    const headers = { ...svixHeaders(text, MAIL_SECRET) };
    await api.send("POST", "/api/email/webhook", { body: text, headers }).refused(400, "request.malformed_json");
  });
});
