import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { mailEventsOf, receivedEvent } from "./mail-events.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET } });
const { deliver, receivedBy } = mailEventsOf(mail, api);

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
    await deliver(
      receivedEvent({
        subject: "s".repeat(5_000),
        from: "f".repeat(5_000),
        to: Array.from({ length: 200 }, () => "t".repeat(1_500)),
      }),
      { id },
    );
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
    for (const [event, code] of [
      [[], "request.invalid"],
      [{ data: {} }, "request.invalid"],
      [{ type: "", data: {} }, "request.invalid"],
    ] as const) {
      await deliver(event).refused(400, code);
    }
    const text = "no JSON";
    const headers = { ...svixHeaders(text, MAIL_SECRET) };
    await api.send("POST", "/api/email/webhook", { body: text, headers }).refused(400, "request.malformed_json");
  });
});
