import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchReceived } from "#functions/mail/webhook/received";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { type TestApi, useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import type { Person } from "#tests/people";

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
  for (const one of [api, unsigned, keyless, limited]) await one.query("truncate private.email_received, private.work");
});

const letter = (more: object = {}) => ({
  from: "Vera <vera@letters.test>",
  to: "hello@nectar.test",
  subject: "Thank you",
  text: "Please thank everyone at Nectar.",
  html: "<p>Please thank everyone at Nectar.</p>",
  ...more,
});

const eventAbout = (id: unknown, more: object = {}) => {
  const sent = { from: "Vera <vera@letters.test>", to: ["hello@nectar.test"], subject: "Thank you", attachments: [] };
  return { type: "email.received", created_at: "2026-11-21T08:00:00.000Z", data: { email_id: id, ...sent, ...more } };
};

/** Sends an event to the webhook, and waits until the task that it queued is done. Signed by the provider unless the API knows no secret. */
async function deliver(event: object, to: TestApi = api, id = `msg_${randomUUID()}`) {
  const body = JSON.stringify(event);
  const headers = to === unsigned ? { "svix-id": id } : { ...svixHeaders(body, MAIL_SECRET, id) };
  const response = await to.send("POST", "/api/email/webhook", { body, headers });
  await to.idle();
  return response;
}

/** A mail that the provider has, with its event delivered. */
async function arrive(more: object = {}, to: TestApi = api, by = mail) {
  const sent = letter(more);
  await by.receive(sent);
  const stored = by.inbound.findLast(({ subject }) => subject === sent.subject);
  if (stored === undefined) throw new Error("The provider keeps no mail.");
  expect((await deliver(eventAbout(stored.id), to)).body).toEqual({ received: true });
  return stored;
}

const listed = async (from: TestApi = api) =>
  (await from.get("/api/admin/emails/received", admins.get(from)).ok()).emails;

/** Runs the job so many minutes from now. */
async function job(minutes: number, of: Pick<TestApi, "services"> = api) {
  const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
  return (await fetchReceived.run({ ...of.services, clock })).results;
}

const DAY = 24 * 60;
const NOTHING = { fetched: 0, failed: 0, given_up: 0 };

describe("a mail to the service", () => {
  it("has its text soon after its event, which contains none", async () => {
    const { id: providerId, from, to, subject, text, html } = await arrive();
    const dated = { id: expect.any(String), is_verified: true, received_at: expect.stringMatching(/Z$/) };
    expect(await listed()).toEqual([{ from, to: [to], subject, text, html, ...dated }]);
    expect(providerId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await job(10 * DAY)).toEqual(NOTHING);
  });

  it("is listed before older ones", async () => {
    for (const subject of ["One", "Two", "Three"]) await arrive({ subject });
    expect((await listed()).map(({ subject }) => subject)).toEqual(["Three", "Two", "One"]);
  });

  it("is stored as the provider returns it, whatever the event says", async () => {
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

  it("is stored once if its event arrives five times at the same time", async () => {
    await mail.receive(letter());
    const event = eventAbout(mail.inbound[0]?.id);
    const responses = await Promise.all(Array.from({ length: 5 }, () => deliver(event, api, "msg_of_five")));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await listed()).toHaveLength(1);
  });

  it("is never fetched by an id that is no UUID, because it would become part of a URL", async () => {
    for (const id of ["../domains", "x?y=z", "", 7, null]) {
      expect((await deliver(eventAbout(id))).body).toEqual({ received: true });
    }
    expect((await listed()).map(({ text }: { text: unknown }) => text)).toEqual([null, null, null, null, null]);
    expect(await job(60)).toEqual(NOTHING);
  });
});

describe("when the text cannot be fetched", () => {
  it("the event is accepted, and the job fetches the text later", async () => {
    mail.mode("fail");
    await arrive();
    expect(await listed()).toMatchObject([{ subject: "Thank you", text: null, html: null }]);
    // Two minutes after the attempt that the event caused.
    expect(await job(1)).toEqual(NOTHING);
    expect(await job(3)).toEqual({ ...NOTHING, failed: 1 });
    // Four minutes after the second one.
    expect(await job(5)).toEqual(NOTHING);
    mail.mode("normal");
    expect(await job(8)).toEqual({ ...NOTHING, fetched: 1 });
    expect(await listed()).toMatchObject([{ text: letter().text, html: letter().html }]);
    expect(await job(9)).toEqual(NOTHING);
  });

  it("the job tries at least every six hours, for three days", async () => {
    mail.mode("fail");
    await arrive();
    await api.query`update private.work set attempts = 100 where kind = 'received-mail'`;
    expect(await job(3)).toEqual({ ...NOTHING, failed: 1 });
    expect(await job(3 + 359)).toEqual(NOTHING);
    expect(await job(3 + 361)).toEqual({ ...NOTHING, failed: 1 });
    mail.mode("normal");
    expect(await job(3 * DAY + 1)).toEqual({ ...NOTHING, given_up: 1 });
    expect(await job(3 * DAY + 2)).toEqual(NOTHING);
    expect(await listed()).toMatchObject([{ text: null }]);
  });

  it("because the provider does not know the mail yet, the job tries again, and fetches others meanwhile", async () => {
    await deliver(eventAbout(randomUUID()));
    mail.mode("fail");
    await arrive();
    mail.mode("normal");
    expect(await job(3)).toEqual({ ...NOTHING, fetched: 1, failed: 1 });
    expect(await job(8)).toEqual({ ...NOTHING, failed: 1 });
  });

  it("because the key may only send, nothing of the mail is logged", async () => {
    mail.mode("sending access");
    await arrive({ subject: "canary subject", text: "canary text" });
    expect(api.logged()).toContain('"failed":1');
    expect(api.logged()).not.toContain("canary");
    expect(await listed()).toMatchObject([{ text: null }]);
  });

  it("because the provider is down, the job stops after three failures", async () => {
    mail.mode("fail");
    for (let count = 0; count < 5; count += 1) await arrive();
    expect(await job(3)).toEqual({ ...NOTHING, failed: 3 });
    mail.mode("normal");
    expect(await job(4)).toEqual({ ...NOTHING, fetched: 2 });
  });

  it("the job tries mails of signed events before the others", async () => {
    await api.query`
      with mails as (
        insert into private.email_received (event_id, is_verified, provider_id, sender, recipients, subject)
        select n::text, false, gen_random_uuid()::text, 'x', '{y}', 'z' from generate_series(1, 3) n
        returning provider_id
      )
      select private.add_work('unverified-mail', provider_id::uuid, now() - interval '1 hour') from mails`;
    mail.mode("fail");
    // The worker that its event wakes stops after three failures as well, of which this mail is the first.
    await arrive();
    expect(await job(3)).toEqual({ ...NOTHING, failed: 3 });
    expect(await api.query`select attempts from private.work where kind = 'received-mail'`).toEqual([{ attempts: 2 }]);
  });

  it("because of the provider's rate limit, worker and job wait and try again", async () => {
    const before = busy.refusals();
    await Promise.all(Array.from({ length: 3 }, (_, index) => arrive({ subject: `Mail ${index}` }, limited, busy)));
    // Two seconds of waiting fit into the timeout of a call, but not on every busy machine: the job fetches what is left then.
    await job(3, limited);
    const texts = (await listed(limited)).map(({ text }: { text: unknown }) => text);
    expect(texts).toEqual([letter().text, letter().text, letter().text]);
    expect(busy.refusals()).toBeGreaterThan(before);
  });

  it("because mail is not configured, the event is stored", async () => {
    await arrive({}, keyless);
    expect(await listed(keyless)).toMatchObject([{ subject: "Thank you", text: null }]);
    expect(await job(3, keyless)).toEqual(NOTHING);
  });
});

describe("the mail of an unsigned event", () => {
  it("is marked as unverified, and its text is left to the job", async () => {
    await arrive({}, unsigned);
    expect(await listed(unsigned)).toMatchObject([{ subject: "Thank you", text: null, is_verified: false }]);
    expect(await job(0.1, unsigned)).toEqual({ ...NOTHING, fetched: 1 });
    expect(await listed(unsigned)).toMatchObject([{ text: letter().text, is_verified: true }]);
  });

  it("is tried once if the provider does not know it", async () => {
    for (let count = 0; count < 3; count += 1) await deliver(eventAbout(randomUUID()), unsigned);
    expect(await job(0.1, unsigned)).toEqual({ ...NOTHING, failed: 3 });
    expect(await job(600, unsigned)).toEqual(NOTHING);
    expect(await listed(unsigned)).toMatchObject(Array.from({ length: 3 }, () => ({ is_verified: false, text: null })));
  });
});

describe("the job", () => {
  const path = "/api/email/webhook/cron/fetch-received";

  it("returns its counts", async () => {
    const { status, body } = await api.send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
    expect([status, body]).toEqual([200, { success: true, message: "done", results: NOTHING }]);
  });

  it("leaves a mail to a later run if its process dies during a call", async () => {
    mail.mode("fail");
    await arrive();
    const call = Promise.withResolvers<never>();
    const email = { send: () => call.promise, readReceived: () => call.promise };
    const dead = job(3, { services: { ...api.services, email } });
    const attempts = async () => (await api.query("select attempts from private.work where kind = 'received-mail'"))[0];
    await expect.poll(attempts, { timeout: 20_000 }).toEqual({ attempts: 2 });
    await api.query`update private.work set due_at = now() where kind like 'job %'`;
    mail.mode("normal");
    // The claim of the run that died runs out four minutes after it.
    expect(await job(5)).toEqual(NOTHING);
    expect(await job(8)).toEqual({ ...NOTHING, fetched: 1 });
    call.reject(new Error("The connection broke."));
    expect(await dead).toEqual({ ...NOTHING, failed: 1 });
  });

  it("fetches every mail once if it runs twice at the same time", async () => {
    mail.mode("fail");
    for (let count = 0; count < 3; count += 1) await arrive();
    mail.mode("normal");
    const [one, other] = await Promise.all([job(3), job(3)]);
    expect([one?.fetched, other?.fetched].map((fetched) => fetched ?? 0).toSorted()).toEqual([0, 3]);
  });
});
