import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { mailEventsOf, receivedEvent, secondsNow } from "./mail-events.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET, LOG_LEVEL: "trace" } });
const { deliver, deliverUnsigned, sentMail, counts } = mailEventsOf(mail, api);
/** It has no secret, so all events are unverified. */
const open = mailEventsOf(mail, useApi({ environment: mail.environment }));
const misconfigured = mailEventsOf(
  mail,
  useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: "whsec_§§§" } }),
);

describe("an event with an invalid signature", () => {
  it.each([
    ["no headers", () => ({})],
    ["another secret", (body: string) => svixHeaders(body, `whsec_${btoa("another one")}`)],
    ["a changed body", (body: string) => svixHeaders(`${body} `, MAIL_SECRET)],
    ["a changed id", (body: string) => ({ ...svixHeaders(body, MAIL_SECRET), "svix-id": "msg_other" })],
    [
      "a time more than five minutes ago",
      (body: string) => svixHeaders(body, MAIL_SECRET, "msg_old", secondsNow() - 310),
    ],
    ["a time in the future", (body: string) => svixHeaders(body, MAIL_SECRET, "msg_new", secondsNow() + 330)],
    ["half a signature", (body: string) => ({ ...svixHeaders(body, MAIL_SECRET), "svix-signature": "v1" })],
    ["nonsense", () => ({ "svix-id": "a", "svix-timestamp": "b", "svix-signature": "c" })],
    ["the signature of another vendor", () => ({ "stripe-signature": "t=1,v1=00" })],
  ] as const)("is 400 and changes nothing: %s", async (_, headersOf) => {
    const sent = await sentMail();
    const before = await counts();
    for (const event of [sent.event("complained"), receivedEvent()]) {
      await deliverUnsigned(event, { ...headersOf(JSON.stringify(event)) }).refused(400, "email.invalid_signature");
    }
    expect(await counts()).toEqual(before);
    expect(await sent.delivery()).toMatchObject({ delivery: null });
  });

  it("is 503 if our secret is malformed, and nothing is stored", async () => {
    await misconfigured.deliver(receivedEvent()).refused(503, "provider.not_configured");
    expect(await misconfigured.counts()).toMatchObject({ events: 0, received: 0 });
  });
});

it("a signed event that is replayed within five minutes is a duplicate", async () => {
  const sent = await sentMail();
  const body = JSON.stringify(sent.event("delivered"));
  const headers = { ...svixHeaders(body, MAIL_SECRET, `msg_${randomUUID()}`, secondsNow() - 280) };
  const replay = () => api.send("POST", "/api/email/webhook", { body, headers });
  expect((await replay()).body).toEqual({ received: true });
  expect((await replay()).body).toEqual({ received: true, duplicate: true });
});

describe("an event without a secret to verify it", () => {
  it("is accepted, marked as unverified, and suppresses no address", async () => {
    const sent = await open.sentMail();
    for (const event of [sent.event("delivered"), sent.bounce("Permanent"), sent.event("complained")]) {
      expect((await open.deliverUnsigned(event)).body).toEqual({ received: true });
    }
    expect(await sent.delivery()).toEqual({ delivery: "complained", verified: false });
    expect(await sent.statusOfNext()).toBe("sent");
    expect(await open.counts()).toMatchObject({ suppressed: 0 });
  });

  it("is overruled by a verified event", async () => {
    const sent = await sentMail();
    await api.query`update private.email_messages set delivery = 'complained', delivery_at = now()
      where id = ${sent.id}`;
    await deliver(sent.event("sent"));
    expect(await sent.delivery()).toEqual({ delivery: "sent", verified: true });
  });

  it("is recognized by its header, else by its mail, type and time", async () => {
    const event = receivedEvent();
    const bare = (from: string) => ({ type: "email.received", data: { from } });
    const long = { "svix-id": "m".repeat(3_000) };
    const deliveries: [event: unknown, isDuplicate: boolean, headers?: Record<string, string>][] = [
      [event, false, { "svix-id": "msg_unsigned" }],
      [event, true, { "svix-id": "msg_unsigned" }],
      [event, false],
      [{ ...event, more: 1 }, true],
      [{ ...event, created_at: "2026-11-21T09:00:00.000Z" }, false],
      [bare("x"), false],
      [bare("x"), true],
      [bare("y"), false],
      [event, false, long],
      [event, true, long],
    ];
    for (const [sent, isDuplicate, headers] of deliveries) {
      const { duplicate = false } = await open.deliverUnsigned(sent, headers).ok();
      expect(duplicate, JSON.stringify(sent)).toBe(isDuplicate);
    }
  });

  it("does not use up the id of a later verified event", async () => {
    const sent = await sentMail();
    const id = `msg_${randomUUID()}`;
    await api.query`insert into private.email_events (id, is_verified, type) values (${id}, false, 'x')`;
    expect((await deliver(sent.event("complained"), { id })).body).toEqual({ received: true });
    expect(await sent.statusOfNext()).toBe("suppressed");
  });
});

it("nothing of any event is logged", async () => {
  const canary = `canary-${randomUUID()}`;
  await deliver(receivedEvent({ from: `${canary}@example.test`, subject: canary, text: canary }));
  const forged = await deliver({ type: canary, data: { x: canary } }, { secret: `whsec_${btoa(canary)}`, id: canary });
  expect(forged.status).toBe(400);
  expect(api.logged()).toContain("/api/email/webhook");
  expect(api.logged()).not.toContain("canary");
  expect(api.logged()).not.toContain(MAIL_SECRET);
});
