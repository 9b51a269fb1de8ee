import { randomUUID } from "node:crypto";
import { svixHeaders } from "@nectar/local/stand-ins/webhooks";
import { describe, expect, it } from "vitest";
import { type TestApi, useApi } from "../../support/api.ts";
import { behind, MAIL_SECRET, useMail } from "../../support/mail.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET, LOG_LEVEL: "trace" } });
const open = useApi({ environment: mail.environment });
const mistaken = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: "whsec_§§§" } });
const NOW = () => Math.floor(Date.now() / 1000);
const someone = () => `${randomUUID().slice(0, 8)}@example.test`;

interface Told {
  readonly type: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}

/** Sends an event as the provider does. */
function tell(event: unknown, { to = api, secret = MAIL_SECRET, id = `msg_${randomUUID()}`, at = NOW() } = {}) {
  const body = JSON.stringify(event);
  return to.send("POST", "/api/email/webhook", { body, headers: { ...svixHeaders(body, secret, id, at) } });
}

/** Sends an event without a signature. */
function whisper(event: unknown, headers: Record<string, string> = {}, to: TestApi = open) {
  return to.send("POST", "/api/email/webhook", { body: JSON.stringify(event), headers });
}

/** A sent mail, and the events that concern it. */
async function sentMail(by: TestApi = api) {
  const person = await by.person();
  const to = someone();
  const { body } = await by.post("/api/email/send", person, { to, subject: "Hi", text: "Hi" });
  const stored = mail.mails.find(({ tags }) => tags.nectar_message === body.message_id);
  if (stored === undefined) throw new Error("The mail was not sent.");
  const event = (outcome: string, more: Record<string, unknown> = {}): Told => ({
    type: `email.${outcome}`,
    created_at: "2026-11-21T08:00:00.000Z",
    data: { email_id: stored.id, to: [to], from: stored.from, subject: "Hi", tags: stored.tags, ...more },
  });
  const bounce = (type: string) => event("bounced", { bounce: { type, subType: "General", message: "No." } });
  const delivery = async () => {
    const [row] = await behind(
      by,
      "select delivery, delivery_is_verified as verified from private.email_messages where id = $1",
      [body.message_id],
    );
    return row;
  };
  const again = async () =>
    (await by.post("/api/email/send", person, { to: to.toUpperCase(), subject: "Hi", text: "Hi" })).body.status;
  return { id: String(body.message_id), to, event, bounce, delivery, again };
}

async function stored(by: TestApi = api) {
  const [row] = await behind(
    by,
    `select (select count(*)::int from private.email_events) as events,
       (select count(*)::int from private.email_received) as received,
       (select count(*)::int from private.email_suppressions) as suppressed,
       (select count(*)::int from private.email_messages where delivery is not null) as followed`,
  );
  return row;
}

function received(more: Record<string, unknown> = {}): Told {
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

const receivedRows = (by: TestApi, id: string) =>
  behind(by, "select * from private.email_received where event_id = $1", [id]);

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe("what becomes of a mail", () => {
  it("never goes back, whatever order it is told in", async () => {
    const senders = ordersOf(["sent", "delivery_delayed", "delivered"]);
    for (const order of senders) {
      const { event, delivery } = await sentMail();
      for (const outcome of order) expect((await tell(event(outcome))).body).toEqual({ received: true });
      expect(await delivery()).toEqual({ delivery: "delivered", verified: true });
    }
    const { event, bounce, delivery } = await sentMail();
    for (const [told, stands] of [
      [event("delivered"), "delivered"],
      [event("sent"), "delivered"],
      [bounce("Transient"), "bounced"],
      [event("delivered"), "bounced"],
      [event("complained"), "complained"],
      [bounce("Permanent"), "complained"],
    ] as const) {
      await tell(told);
      expect(await delivery()).toMatchObject({ delivery: stands });
    }
  });

  it("is known by the provider's id as well as by ours, also before the hand-over was recorded", async () => {
    const byProvider = await sentMail();
    await tell(byProvider.event("delivered", { tags: {} }));
    expect(await byProvider.delivery()).toMatchObject({ delivery: "delivered" });
    const byTag = await sentMail();
    await behind(api, "update private.email_messages set provider_id = null, state = 'pending' where id = $1", [
      byTag.id,
    ]);
    await tell(byTag.event("delivered"));
    expect(await byTag.delivery()).toMatchObject({ delivery: "delivered" });
  });

  it("of somebody else's mail is acknowledged and changes none of ours", async () => {
    const { delivery, event } = await sentMail();
    const tags = { nectar_message: randomUUID() };
    expect((await tell(event("complained", { tags, email_id: randomUUID(), to: [someone()] }))).status).toBe(200);
    expect(await delivery()).toMatchObject({ delivery: null });
  });

  it("everything at once, three times each, ends the same", async () => {
    const { event, bounce, delivery, again } = await sentMail();
    const events = [event("sent"), event("delivered"), bounce("Permanent"), event("complained")];
    const all = events.flatMap((one, index) =>
      Array.from({ length: 3 }, () => ({ one, id: `msg_${index}_${randomUUID().slice(0, 4)}` })),
    );
    const answers = await Promise.all(all.map(({ one, id }) => tell(one, { id })));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await delivery()).toEqual({ delivery: "complained", verified: true });
    expect(await again()).toBe("suppressed");
  });
});

describe("when it happened", () => {
  it.each([
    ["as the event says", "2026-11-20T08:00:00.000Z", "2026-11-20T08:00:00.000Z"],
    ["in PostgreSQL's form", "2026-11-20 08:00:00.123456+00", "2026-11-20T08:00:00.123Z"],
    ["with an offset", "2026-11-20T09:00:00+01:00", "2026-11-20T08:00:00.000Z"],
    ["with an offset of nearly a day", "2026-11-21T08:00:00+23:00", "2026-11-20T09:00:00.000Z"],
    ["with one that is behind", "2026-11-20T08:00:00-23:59", "2026-11-21T07:59:00.000Z"],
    ["with very many digits", `2026-11-20T08:00:00.${"1".repeat(200)}Z`, "2026-11-20T08:00:00.111Z"],
    ["now, when it says a year of five digits", "9999-12-31T23:59:59-12:00", null],
    ["now, when it says nonsense", "yesterday", null],
    ["now, when it says a day that is none", "2026-02-30T08:00:00Z", null],
    ["now, when it says the year 0", "0000-01-01T00:00:00Z", null],
    ["now, when it is no text", 7, null],
  ])("is told %s", async (_, created_at, expected) => {
    const before = Date.now();
    const { id, event } = await sentMail();
    expect((await tell({ ...event("delivered"), created_at })).body).toEqual({ received: true });
    const [row] = await behind(
      api,
      "select (extract(epoch from delivery_at) * 1000)::float as told from private.email_messages where id = $1",
      [id],
    );
    if (expected === null) expect(row?.told).toBeGreaterThanOrEqual(before);
    else expect(row?.told).toBe(Date.parse(expected));
  });
});

describe("an address", () => {
  it.each([
    ["a permanent bounce", (of) => of.bounce("Permanent"), "suppressed"],
    ["a complaint", (of) => of.event("complained"), "suppressed"],
    ["a transient bounce", (of) => of.bounce("Transient"), "sent"],
    ["a bounce of unknown kind", (of) => of.bounce("Undetermined"), "sent"],
    ["a bounce that says nothing more", (of) => of.event("bounced"), "sent"],
    ["a delay", (of) => of.event("delivery_delayed"), "sent"],
  ] as const satisfies readonly (readonly [string, (of: Awaited<ReturnType<typeof sentMail>>) => Told, string])[])(
    "after %s",
    async (_, eventOf, status) => {
      const of = await sentMail();
      await tell(eventOf(of));
      expect(await of.again()).toBe(status);
    },
  );

  it("is the one that we sent to, whatever else the event says", async () => {
    const of = await sentMail();
    const other = await sentMail();
    await tell(of.event("complained", { to: [other.to] }));
    expect([await of.again(), await other.again()]).toEqual(["suppressed", "sent"]);
  });

  it("that only the provider knows of is suppressed, and none when there are several", async () => {
    const [one, two, three] = [await sentMail(), await sentMail(), await sentMail()];
    const elsewhere = { tags: {}, email_id: randomUUID() };
    await tell(one.event("complained", { ...elsewhere, to: [one.to.toUpperCase()] }));
    await tell(two.event("complained", { ...elsewhere, to: [two.to, three.to] }));
    expect([await one.again(), await two.again(), await three.again()]).toEqual(["suppressed", "sent", "sent"]);
  });
});

describe("an event that comes twice", () => {
  it("is acknowledged and has no second effect", async () => {
    const event = received();
    const id = `msg_${randomUUID()}`;
    expect((await tell(event, { id })).body).toEqual({ received: true });
    expect((await tell(event, { id })).body).toEqual({ received: true, duplicate: true });
    expect(await receivedRows(api, id)).toHaveLength(1);
  });

  it("eight times at once is news once", async () => {
    const event = received();
    const id = `msg_${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => tell(event, { id })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
    expect(await receivedRows(api, id)).toHaveLength(1);
  });

  it("of an unknown kind is acknowledged as well", async () => {
    for (const type of ["contact.created", "email.opened", "domain.deleted", "x"]) {
      const id = `msg_${randomUUID()}`;
      const event = { type, created_at: "2026-11-21T08:00:00.000Z", data: { id: "1" } };
      expect((await tell(event, { id })).body).toEqual({ received: true });
      expect((await tell(event, { id })).body).toEqual({ received: true, duplicate: true });
    }
  });

  it("after a suppression was lifted does not bring it back", async () => {
    const of = await sentMail();
    const id = `msg_${randomUUID()}`;
    await tell(of.event("complained"), { id });
    await behind(api, "delete from private.email_suppressions where address_hash = private.email_address_hash($1)", [
      of.to,
    ]);
    expect((await tell(of.event("complained"), { id })).body.duplicate).toBe(true);
    expect(await of.again()).toBe("sent");
  });
});

it("an event whose kind cannot be stored is acknowledged, and so is the same one again", async () => {
  const id = `msg_${randomUUID()}`;
  const event = { type: "\u0000", data: {} };
  expect((await tell(event, { id })).body).toEqual({ received: true });
  expect((await tell(event, { id })).body).toEqual({ received: true, duplicate: true });
  expect(await behind(api, "select type from private.email_events where id = $1", [id])).toEqual([{ type: "unknown" }]);
});

describe("an event that is not to be believed", () => {
  it.each([
    ["without any header", () => ({})],
    ["with another secret", (body: string) => svixHeaders(body, `whsec_${btoa("another one")}`)],
    ["that was changed on the way", (body: string) => svixHeaders(`${body} `, MAIL_SECRET)],
    ["whose id was changed", (body: string) => ({ ...svixHeaders(body, MAIL_SECRET), "svix-id": "msg_other" })],
    ["that is too old", (body: string) => svixHeaders(body, MAIL_SECRET, "msg_old", NOW() - 310)],
    ["that is from the future", (body: string) => svixHeaders(body, MAIL_SECRET, "msg_new", NOW() + 330)],
    ["with half a signature", (body: string) => ({ ...svixHeaders(body, MAIL_SECRET), "svix-signature": "v1" })],
    ["with nonsense", () => ({ "svix-id": "a", "svix-timestamp": "b", "svix-signature": "c" })],
    ["signed as another processor does", () => ({ "stripe-signature": "t=1,v1=00" })],
  ] as const)("is 400 and changes nothing: %s", async (_, headersOf) => {
    const { event, delivery } = await sentMail();
    const before = await stored();
    for (const told of [event("complained"), received()]) {
      const { status, body } = await whisper(told, { ...headersOf(JSON.stringify(told)) }, api);
      expect([status, body.code]).toEqual([400, "email.invalid_signature"]);
    }
    expect(await stored()).toEqual(before);
    expect(await delivery()).toMatchObject({ delivery: null });
  });

  it("that was caught and is sent again later is too old; at once it is a duplicate", async () => {
    const of = await sentMail();
    const body = JSON.stringify(of.event("delivered"));
    const headers = { ...svixHeaders(body, MAIL_SECRET, `msg_${randomUUID()}`, NOW() - 280) };
    const replay = () => api.send("POST", "/api/email/webhook", { body, headers });
    expect((await replay()).body).toEqual({ received: true });
    expect((await replay()).body).toEqual({ received: true, duplicate: true });
  });

  it("with a secret that is none is our mistake, and nothing is taken", async () => {
    const { status, body } = await tell(received(), { to: mistaken });
    expect([status, body.code]).toEqual([503, "provider.not_configured"]);
    expect(await stored(mistaken)).toMatchObject({ events: 0, received: 0 });
  });
});

describe("without a secret", () => {
  it("events are taken, marked as unverified, and suppress nobody", async () => {
    const of = await sentMail(open);
    for (const told of [of.event("delivered"), of.bounce("Permanent"), of.event("complained")]) {
      expect((await whisper(told)).body).toEqual({ received: true });
    }
    expect(await of.delivery()).toEqual({ delivery: "complained", verified: false });
    expect(await of.again()).toBe("sent");
    expect(await stored(open)).toMatchObject({ suppressed: 0 });
  });

  it("a verified event later counts more than what was whispered", async () => {
    const of = await sentMail();
    await behind(api, "update private.email_messages set delivery = 'complained', delivery_at = now() where id = $1", [
      of.id,
    ]);
    await tell(of.event("sent"));
    expect(await of.delivery()).toEqual({ delivery: "sent", verified: true });
  });

  it("the header names the event, else the mail, kind and time do", async () => {
    const event = received();
    const later = { ...event, created_at: "2026-11-21T09:00:00.000Z" };
    expect((await whisper(event, { "svix-id": "msg_whispered" })).body).toEqual({ received: true });
    expect((await whisper(event, { "svix-id": "msg_whispered" })).body.duplicate).toBe(true);
    expect((await whisper(event)).body).toEqual({ received: true });
    expect((await whisper({ ...event, more: 1 })).body.duplicate).toBe(true);
    expect((await whisper(later)).body).toEqual({ received: true });
    expect((await whisper({ type: "email.received", data: { from: "x" } })).body).toEqual({ received: true });
    expect((await whisper({ type: "email.received", data: { from: "x" } })).body.duplicate).toBe(true);
    expect((await whisper({ type: "email.received", data: { from: "y" } })).body).toEqual({ received: true });
    expect((await whisper(event, { "svix-id": "m".repeat(3_000) })).body).toEqual({ received: true });
    expect((await whisper(event, { "svix-id": "m".repeat(3_000) })).body.duplicate).toBe(true);
  });

  it("nobody uses up the id of an event that is still to come", async () => {
    const of = await sentMail();
    const id = `msg_${randomUUID()}`;
    await behind(api, "insert into private.email_events (id, is_verified, type) values ($1, false, 'x')", [id]);
    expect((await tell(of.event("complained"), { id })).body).toEqual({ received: true });
    expect(await of.again()).toBe("suppressed");
  });
});

describe("mail to us", () => {
  it("is stored with what its event says, and the text of no event is believed", async () => {
    const id = `msg_${randomUUID()}`;
    const event = received({ text: "Hi there", html: "<p>Hi</p>" });
    await tell(event, { id });
    expect(await receivedRows(api, id)).toMatchObject([
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

  it("is cut off where it is too long, and accepted whatever is missing or odd in it", async () => {
    const id = `msg_${randomUUID()}`;
    await tell(
      received({
        subject: "s".repeat(5_000),
        from: "f".repeat(5_000),
        to: Array.from({ length: 200 }, () => "t".repeat(1_500)),
      }),
      { id },
    );
    const [row] = await receivedRows(api, id);
    expect(String(row?.subject)).toHaveLength(1_000);
    expect(String(row?.sender)).toHaveLength(1_000);
    expect(row?.recipients).toEqual(Array.from({ length: 50 }, () => "t".repeat(1_000)));
    const odd = { from: 1, to: "x", subject: "a\u0000b\ud800", email_id: null };
    await tell(received(odd), { id: `${id}_odd` });
    expect(await receivedRows(api, `${id}_odd`)).toMatchObject([
      { sender: "", recipients: [], subject: "ab\ufffd", provider_id: null },
    ]);
    expect((await tell({ type: "email.received" }, { id: `${id}_bare` })).status).toBe(200);
    expect(await receivedRows(api, `${id}_bare`)).toHaveLength(1);
  });

  it("is 413 above one megabyte, and 400 when it is no event", async () => {
    expect((await tell(received({ text: "x".repeat(1024 * 1024) }))).status).toBe(413);
    for (const [event, code] of [
      [[], "request.invalid"],
      [{ data: {} }, "request.invalid"],
      [{ type: "", data: {} }, "request.invalid"],
    ] as const) {
      const { status, body } = await tell(event);
      expect([status, body.code]).toEqual([400, code]);
    }
    const text = "no JSON";
    const headers = { ...svixHeaders(text, MAIL_SECRET) };
    const { status, body } = await api.send("POST", "/api/email/webhook", { body: text, headers });
    expect([status, body.code]).toEqual([400, "request.malformed_json"]);
  });
});

describe("an event that could not be processed", () => {
  it.each([
    ["email_received", "insert", () => Promise.resolve(received())],
    ["email_suppressions", "insert", async () => (await sentMail()).event("complained")],
    ["email_messages", "update", async () => (await sentMail()).event("delivered")],
  ])("is 500 when %s fails, leaves nothing, and sent again it is done", async (table, command, eventOf) => {
    const event = await eventOf();
    const id = `msg_${randomUUID()}`;
    const before = await stored();
    await behind(
      api,
      `create function private.fail_for_a_test() returns trigger language plpgsql
         as $$ begin raise exception 'the disk is full'; end $$;
       create trigger fail_for_a_test after ${command} on private.${table}
         for each row execute function private.fail_for_a_test()`,
    );
    try {
      const { status, body } = await tell(event, { id });
      expect([status, body.code]).toEqual([500, "email.webhook_failed"]);
      expect(JSON.stringify(body)).not.toContain("disk");
      expect(await stored()).toEqual(before);
    } finally {
      await behind(api, "drop function private.fail_for_a_test() cascade");
    }
    expect((await tell(event, { id })).body).toEqual({ received: true });
    expect(await stored()).not.toEqual(before);
  });
});

it("nothing of any event is in the log", async () => {
  const canary = `canary-${randomUUID()}`;
  await tell(received({ from: `${canary}@example.test`, subject: canary, text: canary }));
  await tell({ type: canary, data: { x: canary } }, { secret: `whsec_${btoa(canary)}`, id: canary });
  expect(api.logged()).toContain("/api/email/webhook");
  expect(api.logged()).not.toContain("canary");
  expect(api.logged()).not.toContain(MAIL_SECRET);
});
