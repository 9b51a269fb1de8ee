import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { ordersOf } from "#tests/orders";
import { type MailEvent, mailEventsOf } from "./mail-events.ts";
import { someone } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET } });
const { deliver, sentMail } = mailEventsOf(mail, api);

describe("the delivery of a mail", () => {
  it("never goes back, in whatever order its events arrive", async () => {
    const orders = ordersOf(["sent", "delivery_delayed", "delivered"]);
    for (const order of orders) {
      const { event, delivery } = await sentMail();
      for (const outcome of order) expect((await deliver(event(outcome))).body).toEqual({ received: true });
      expect(await delivery()).toEqual({ delivery: "delivered", verified: true });
    }
    const { event, bounce, delivery } = await sentMail();
    for (const [reported, expected] of [
      [event("failed"), "failed"],
      [event("suppressed"), "suppressed"],
      [event("delivered"), "delivered"],
      [event("sent"), "delivered"],
      [bounce("Transient"), "bounced"],
      [event("delivered"), "bounced"],
      [event("complained"), "complained"],
      [bounce("Permanent"), "complained"],
    ] as const) {
      await deliver(reported);
      expect(await delivery()).toMatchObject({ delivery: expected });
    }
  });

  it("is found by the provider's id or by ours, even before the result of sending was recorded", async () => {
    const byProvider = await sentMail();
    await deliver(byProvider.event("delivered", { tags: {} }));
    expect(await byProvider.delivery()).toMatchObject({ delivery: "delivered" });
    const byTag = await sentMail();
    await api.query`update private.email_messages set provider_id = null, state = 'pending' where id = ${byTag.id}`;
    await deliver(byTag.event("delivered"));
    expect(await byTag.delivery()).toMatchObject({ delivery: "delivered" });
  });

  it("does not change with an event about an unknown mail, which is accepted", async () => {
    const { delivery, event } = await sentMail();
    const tags = { nectar_message: randomUUID() };
    await deliver(event("complained", { tags, email_id: randomUUID(), to: [someone()] })).ok();
    expect(await delivery()).toMatchObject({ delivery: null });
  });

  it("ends the same when all events arrive at once, three times each", async () => {
    const { event, bounce, delivery, statusOfNext } = await sentMail();
    const events = [event("sent"), event("delivered"), bounce("Permanent"), event("complained")];
    const all = events.flatMap((one, index) =>
      Array.from({ length: 3 }, () => ({ one, id: `msg_${index}_${randomUUID().slice(0, 4)}` })),
    );
    const responses = await Promise.all(all.map(({ one, id }) => deliver(one, { id })));
    expect(responses.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await delivery()).toEqual({ delivery: "complained", verified: true });
    expect(await statusOfNext()).toBe("suppressed");
  });
});

describe("the time of a delivery", () => {
  it.each([
    ["the one of the event", "2026-11-20T08:00:00.000Z", "2026-11-20T08:00:00.000Z"],
    ["read in PostgreSQL's format", "2026-11-20 08:00:00.123456+00", "2026-11-20T08:00:00.123Z"],
    ["read with an offset", "2026-11-20T09:00:00+01:00", "2026-11-20T08:00:00.000Z"],
    ["read with an offset of nearly a day", "2026-11-21T08:00:00+23:00", "2026-11-20T09:00:00.000Z"],
    ["read with a negative offset", "2026-11-20T08:00:00-23:59", "2026-11-21T07:59:00.000Z"],
    ["read with very many digits", `2026-11-20T08:00:00.${"1".repeat(200)}Z`, "2026-11-20T08:00:00.111Z"],
    ["now for a year of five digits", "9999-12-31T23:59:59-12:00", null],
    ["now for nonsense", "yesterday", null],
    ["now for a date that does not exist", "2026-02-30T08:00:00Z", null],
    ["now for the year 0", "0000-01-01T00:00:00Z", null],
    ["now for a number", 7, null],
  ])("is %s", async (_, created_at, expected) => {
    const before = Date.now();
    const { id, event } = await sentMail();
    expect((await deliver({ ...event("delivered"), created_at })).body).toEqual({ received: true });
    const { happened } = await api.one`select (extract(epoch from delivery_at) * 1000)::float as happened
      from private.email_messages where id = ${id}`;
    if (expected === null) expect(happened).toBeGreaterThanOrEqual(before);
    else expect(happened).toBe(Date.parse(expected));
  });
});

describe("an address", () => {
  it.each([
    ["a permanent bounce", "suppressed", (sent) => sent.bounce("Permanent")],
    ["a complaint", "suppressed", (sent) => sent.event("complained")],
    ["an address on the provider's own list", "suppressed", (sent) => sent.event("suppressed")],
    ["a failure", "sent", (sent) => sent.event("failed")],
    ["a transient bounce", "sent", (sent) => sent.bounce("Transient")],
    ["a bounce of unknown kind", "sent", (sent) => sent.bounce("Undetermined")],
    ["a bounce without details", "sent", (sent) => sent.event("bounced")],
    ["a delay", "sent", (sent) => sent.event("delivery_delayed")],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (sent: Awaited<ReturnType<typeof sentMail>>) => MailEvent,
  ])[])("after %s: the next mail to it is %s", async (_, status, eventOf) => {
    const sent = await sentMail();
    await deliver(eventOf(sent));
    expect(await sent.statusOfNext()).toBe(status);
  });

  it("is suppressed if we sent to it, whatever address the event names", async () => {
    const sent = await sentMail();
    const other = await sentMail();
    await deliver(sent.event("complained", { to: [other.to] }));
    expect([await sent.statusOfNext(), await other.statusOfNext()]).toEqual(["suppressed", "sent"]);
  });

  it("that the event names is suppressed for an unknown mail, unless it names several", async () => {
    const [one, two, three] = [await sentMail(), await sentMail(), await sentMail()];
    const elsewhere = { tags: {}, email_id: randomUUID() };
    await deliver(one.event("complained", { ...elsewhere, to: [one.to.toUpperCase()] }));
    await deliver(two.event("complained", { ...elsewhere, to: [two.to, three.to] }));
    expect([await one.statusOfNext(), await two.statusOfNext(), await three.statusOfNext()]).toEqual([
      "suppressed",
      "sent",
      "sent",
    ]);
  });
});
