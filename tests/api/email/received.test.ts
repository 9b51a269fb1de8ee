import { randomUUID } from "node:crypto";
import { svixHeaders } from "@nectar/local/stand-ins/webhooks";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchReceived } from "../../../functions/email-webhook/received.ts";
import { type TestApi, useApi } from "../../support/api.ts";
import { behind, MAIL_SECRET, useMail } from "../../support/mail.ts";
import type { Person } from "../../support/people.ts";

const CRON_SECRET = "the-scheduler-of-the-mail-tests";
const mail = await useMail();
const busy = await useMail({ requestsPerSecond: 1 });
const keys = { EMAIL_WEBHOOK_SECRET: MAIL_SECRET, MAINTENANCE_CRON_SECRET: CRON_SECRET };
const api = useApi({ environment: { ...mail.environment, ...keys } });
const unsigned = useApi({ environment: mail.environment });
const keyless = useApi({ environment: keys });
const limited = useApi({ environment: { ...busy.environment, ...keys } });

const admins = new Map<TestApi, Person>();
beforeAll(async () => {
  for (const one of [api, unsigned, keyless, limited]) admins.set(one, await one.person({ role: "admin" }));
});
beforeEach(async () => {
  for (const one of [api, unsigned, keyless, limited]) await behind(one, "truncate private.email_received");
});

const letter = (more: object = {}) => ({
  from: "Vera <vera@letters.test>",
  to: "hello@nectar.test",
  subject: "Thank you",
  text: "Please thank whoever keeps this running.",
  html: "<p>Please thank whoever keeps this running.</p>",
  ...more,
});

const eventAbout = (id: unknown, more: object = {}) => ({
  type: "email.received",
  created_at: "2026-11-21T08:00:00.000Z",
  data: {
    email_id: id,
    from: "Vera <vera@letters.test>",
    to: ["hello@nectar.test"],
    subject: "Thank you",
    attachments: [],
    ...more,
  },
});

/** Sends an event to the webhook, signed by the provider unless the API knows no secret. */
function deliver(event: object, to: TestApi = api, id = `msg_${randomUUID()}`) {
  const body = JSON.stringify(event);
  const headers = to === unsigned ? { "svix-id": id } : { ...svixHeaders(body, MAIL_SECRET, id) };
  return to.send("POST", "/api/email/webhook", { body, headers });
}

/** A mail that the provider has, with its event delivered. */
async function arrive(more: object = {}, to: TestApi = api, by = mail) {
  await by.receive(letter(more));
  const stored = by.inbound.at(-1);
  if (stored === undefined) throw new Error("The provider keeps no mail.");
  expect((await deliver(eventAbout(stored.id), to)).body).toEqual({ received: true });
  return stored;
}

async function listed(from: TestApi = api) {
  const { status, body } = await from.get("/api/admin/emails/received", admins.get(from));
  expect(status).toBe(200);
  return body.emails;
}

/** Runs the job so many minutes from now. */
async function job(minutes: number, of: TestApi = api) {
  const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
  return (await fetchReceived.run({ ...of.services, clock })).results;
}

const DAY = 24 * 60;
const NOTHING = { fetched: 0, failed: 0, given_up: 0 };

describe("a mail to the service", () => {
  it("has its text right after its event, which brings none", async () => {
    const { id: providerId, ...stored } = await arrive();
    expect(await listed()).toEqual([
      {
        id: expect.any(String),
        from: stored.from,
        to: [stored.to],
        subject: stored.subject,
        text: stored.text,
        html: stored.html,
        is_verified: true,
        received_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(providerId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await job(10 * DAY)).toEqual(NOTHING);
  });

  it("is the provider's version of it, whatever the event says", async () => {
    await mail.receive(letter({ html: null }));
    await deliver(eventAbout(mail.inbound[0]?.id, { subject: "Other", from: "x", text: "Invented", html: "Invented" }));
    expect(await listed()).toMatchObject([{ subject: "Thank you", text: letter().text, html: null }]);
  });

  it("is cut to what can be stored", async () => {
    await arrive({ text: `a\u0000b\ud800${"🐝".repeat(200_000)}`, html: "c\u0000", subject: "s".repeat(5_000) });
    const [row] = await listed();
    expect(row.text).toHaveLength(256 * 1024);
    expect(row.text?.startsWith("ab\ufffd🐝")).toBe(true);
    expect([row.html, row.subject]).toEqual(["c", "s".repeat(1_000)]);
  });

  it("is fetched once, also when its event comes five times at once", async () => {
    await mail.receive(letter());
    const event = eventAbout(mail.inbound[0]?.id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(event, api, "msg_of_five")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await listed()).toHaveLength(1);
  });

  it("is never fetched under an id that is none: it would become part of an address", async () => {
    for (const id of ["../domains", "x?y=z", "", 7, null]) {
      expect((await deliver(eventAbout(id))).body).toEqual({ received: true });
    }
    expect((await listed()).map(({ text }: { text: unknown }) => text)).toEqual([null, null, null, null, null]);
    expect(await job(60)).toEqual(NOTHING);
  });
});

describe("when the provider does not give the text", () => {
  it("the event is accepted all the same, and the job fetches it later", async () => {
    mail.mode("fail");
    await arrive();
    expect(await listed()).toMatchObject([{ subject: "Thank you", text: null, html: null }]);
    // The claim of the webhook has not run out yet.
    expect(await job(1)).toEqual(NOTHING);
    expect(await job(3)).toEqual({ ...NOTHING, failed: 1 });
    // Two minutes after the first attempt, four after the second.
    expect(await job(5)).toEqual(NOTHING);
    mail.mode("normal");
    expect(await job(8)).toEqual({ ...NOTHING, fetched: 1 });
    expect(await listed()).toMatchObject([{ text: letter().text, html: letter().html }]);
    expect(await job(9)).toEqual(NOTHING);
  });

  it("also when the webhook never came to ask, because its process was killed", async () => {
    const { id } = await arrive();
    await behind(
      api,
      `update private.email_received set body_text = null, body_html = null, content_fetched_at = null,
         content_due_at = created_at + interval '2 minutes' where provider_id = $1`,
      [id],
    );
    expect(await job(3)).toEqual({ ...NOTHING, fetched: 1 });
    expect(await listed()).toMatchObject([{ text: letter().text }]);
  });

  it("attempts end after three days", async () => {
    mail.mode("fail");
    await arrive();
    const attempts: number[] = [];
    for (let minute = 30; minute < 3 * DAY; minute += 30) {
      const results = await job(minute);
      if (results?.failed === 1) attempts.push(minute);
    }
    expect(attempts.length).toBeGreaterThan(10);
    // Less and less often, and at least every six hours.
    const pauses = attempts.slice(1).map((minute, index) => minute - (attempts[index] ?? 0));
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * 60 + 30);
    mail.mode("normal");
    expect(await job(3 * DAY + 1)).toEqual({ ...NOTHING, given_up: 1 });
    expect(await job(3 * DAY + 2)).toEqual(NOTHING);
    expect(await listed()).toMatchObject([{ text: null }]);
  }, 120_000);

  it("a mail that it does not know (yet) is asked for again, and others meanwhile", async () => {
    await deliver(eventAbout(randomUUID()));
    mail.mode("fail");
    await arrive();
    mail.mode("normal");
    expect(await job(3)).toEqual({ ...NOTHING, fetched: 1, failed: 1 });
    expect(await job(8)).toEqual({ ...NOTHING, failed: 1 });
  });

  it("because the key may only send, nothing of the mail is in the log", async () => {
    mail.mode("sending access");
    await arrive({ subject: "canary subject", text: "canary text" });
    expect(api.logged()).toContain("could not be fetched yet");
    expect(api.logged()).not.toContain("canary");
    expect(await listed()).toMatchObject([{ text: null }]);
  });

  it("because it is down, the job leaves it alone after three failures", async () => {
    mail.mode("fail");
    for (let count = 0; count < 5; count += 1) await arrive();
    expect(await job(3)).toEqual({ ...NOTHING, failed: 3 });
    mail.mode("normal");
    expect(await job(4)).toEqual({ ...NOTHING, fetched: 2 });
  });

  it("because there were too many requests in this second, it waits and asks again", async () => {
    const before = busy.refusals();
    await Promise.all(Array.from({ length: 3 }, (_, index) => arrive({ subject: `Mail ${index}` }, limited, busy)));
    // Two seconds of waiting fit into the webhook's five, but not on every busy machine: the job fetches what is left then.
    await job(3, limited);
    const texts = (await listed(limited)).map(({ text }: { text: unknown }) => text);
    expect(texts).toEqual([letter().text, letter().text, letter().text]);
    expect(busy.refusals()).toBeGreaterThan(before);
  });

  it("because we have no key, the event is stored", async () => {
    await arrive({}, keyless);
    expect(await listed(keyless)).toMatchObject([{ subject: "Thank you", text: null }]);
    expect(await job(3, keyless)).toEqual(NOTHING);
  });
});

describe("an unsigned event", () => {
  it("is marked, and its text is left to the job", async () => {
    await arrive({}, unsigned);
    expect(await listed(unsigned)).toMatchObject([{ subject: "Thank you", text: null, is_verified: false }]);
    expect(await job(0.1, unsigned)).toEqual({ ...NOTHING, fetched: 1 });
    expect(await listed(unsigned)).toMatchObject([{ text: letter().text, is_verified: true }]);
  });

  it("about a mail that never was is asked for once, after those that were signed", async () => {
    for (let count = 0; count < 3; count += 1) await deliver(eventAbout(randomUUID()), unsigned);
    expect(await job(0.1, unsigned)).toEqual({ ...NOTHING, failed: 3 });
    expect(await job(600, unsigned)).toEqual(NOTHING);
    expect(await listed(unsigned)).toMatchObject(Array.from({ length: 3 }, () => ({ is_verified: false, text: null })));
  });
});

describe("GET /api/admin/emails/received", () => {
  it("is for admins", async () => {
    const path = "/api/admin/emails/received";
    expect((await api.get(path)).status).toBe(401);
    const { status, body } = await api.get(path, await api.person());
    expect([status, body.code]).toEqual([403, "auth.forbidden"]);
    expect((await api.get(path, await api.person({ role: "super_admin" }))).status).toBe(200);
  });

  it("goes through all mails in pages, newest first", async () => {
    for (const n of [1, 2, 3, 4, 5]) await arrive({ subject: `Mail ${n}` });
    const subjects: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body } = await api.get(`/api/admin/emails/received${query}`, admins.get(api));
      subjects.push(...body.emails.map(({ subject }: { subject: string }) => subject));
      cursor = body.next_cursor;
    }
    expect(subjects).toEqual(["Mail 5", "Mail 4", "Mail 3", "Mail 2", "Mail 1"]);
  });

  it("ends a page before it is larger than a function may return", async () => {
    // Every character takes seven bytes: six in JSON, and its backslash once more inside Lambda's envelope.
    const text = "\u0001".repeat(256 * 1024);
    for (let count = 0; count < 5; count += 1) await arrive({ text, html: null });
    const ids = new Set<string>();
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `?cursor=${cursor}`;
      const { body } = await api.get(`/api/admin/emails/received${query}`, admins.get(api));
      const asSent = JSON.stringify(JSON.stringify(body));
      expect(Buffer.byteLength(asSent)).toBeLessThan(4_100_000);
      expect(body.emails.length).toBeGreaterThan(0);
      for (const { id } of body.emails) ids.add(id);
      cursor = body.next_cursor;
      pages += 1;
    }
    expect([ids.size, pages]).toEqual([5, 3]);
  });

  it("refuses a limit and a cursor that are none", async () => {
    for (const query of ["limit=0", "limit=x", "cursor=x"]) {
      expect((await api.get(`/api/admin/emails/received?${query}`, admins.get(api))).status).toBe(400);
    }
  });
});

describe("the job", () => {
  const path = "/api/email/webhook/cron/fetch-received";

  it("counts what it did", async () => {
    const { status, body } = await api.send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
    expect([status, body]).toEqual([200, { success: true, message: "done", results: NOTHING }]);
  });

  it("that loses its connections in the middle of a call leaves the mail to a later run", async () => {
    mail.mode("fail");
    await arrive();
    mail.mode("hang");
    const cutOff = job(3).then(
      () => "finished",
      () => "failed",
    );
    const attempts = async () => (await behind(api, "select content_attempts from private.email_received"))[0];
    await expect.poll(attempts, { timeout: 20_000 }).toEqual({ content_attempts: 2 });
    await behind(
      api,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'nectar_api'",
    );
    expect(await cutOff).toBe("failed");
    mail.mode("normal");
    // The claim of the run that was cut off runs out four minutes after it.
    expect(await job(5)).toEqual(NOTHING);
    expect(await job(8)).toEqual({ ...NOTHING, fetched: 1 });
  });

  it("run twice at once fetches every mail once", async () => {
    mail.mode("fail");
    for (let count = 0; count < 3; count += 1) await arrive();
    mail.mode("normal");
    const [one, other] = await Promise.all([job(3), job(3)]);
    expect([one?.fetched, other?.fetched].map((fetched) => fetched ?? 0).toSorted()).toEqual([0, 3]);
  });
});
