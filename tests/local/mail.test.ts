import { createServer } from "node:http";
import { AppError } from "@nectar/core/errors";
import { listenLocally } from "@nectar/local/listen";
import { type MailStandIn, RESEND_REQUESTS_PER_SECOND, startMail } from "@nectar/local/stand-ins/mail";
import { type Mail, MESSAGE_TAG, resendEmail } from "@nectar/providers/email";
import { Resend } from "resend";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

const SECRET = `whsec_${Buffer.from("the secret of the mail tests").toString("base64")}`;

const events: { headers: Record<string, unknown>; body: string }[] = [];
let mail: MailStandIn;
let stopWebhook: () => Promise<void>;

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      events.push({ headers: request.headers, body });
      response.end("{}");
    });
  });
  const listening = await listenLocally(server, 0, "The webhook");
  stopWebhook = listening.stop;
  mail = await startMail({ webhookUrl: `http://127.0.0.1:${listening.port}`, webhookSecret: SECRET });
});
afterEach(() => {
  mail.mode("normal");
  mail.mails.length = 0;
  events.length = 0;
});
afterAll(async () => {
  await mail?.stop();
  await stopWebhook?.();
});

const sample: Mail = {
  to: "ada@example.test",
  replyTo: "grace@example.test",
  subject: "Good news",
  html: "<p>Good</p>",
  text: "Good",
  messageId: "5b1a3a52-6a0f-4c7c-8a54-0d6ac6cf5f6a",
};
const unique = (): Mail => ({ ...sample, messageId: crypto.randomUUID() });

function provider({ apiKey = "re_tests", ...more }: { apiKey?: string; sendTimeoutMs?: number } = {}) {
  return resendEmail({ apiKey, baseUrl: mail.url, from: "Nectar <hello@nectar.test>", unsubscribe: null, ...more });
}

function post(body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${mail.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_tests", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function reported(type: string) {
  await expect.poll(() => events.some(({ body }) => body.includes(`"type":"${type}"`)), { timeout: 20_000 }).toBe(true);
  const found = events.find(({ body }) => body.includes(`"type":"${type}"`));
  return { headers: found?.headers ?? {}, body: found?.body ?? "" };
}

describe("sending with the real SDK", () => {
  test("delivers all fields of a mail", async () => {
    const wanted = unique();
    const { id } = await provider().send(wanted);
    expect(mail.mails).toEqual([
      {
        id,
        from: "Nectar <hello@nectar.test>",
        to: ["ada@example.test"],
        replyTo: ["grace@example.test"],
        subject: "Good news",
        html: "<p>Good</p>",
        text: "Good",
        tags: { [MESSAGE_TAG]: wanted.messageId },
        headers: {},
        createdAt: expect.stringMatching(/Z$/),
        outcomes: ["sent"],
      },
    ]);
  });

  test("twice with the same key sends one mail and gets the same id", async () => {
    const wanted = unique();
    const [first, second] = [await provider().send(wanted), await provider().send(wanted)];
    expect(second).toEqual(first);
    expect(mail.mails).toHaveLength(1);
  });

  test.each([
    [
      "another mail under the same key",
      async () => {
        const wanted = unique();
        await provider().send(wanted);
        await provider().send({ ...wanted, subject: "Other news" });
      },
    ],
    ["an invalid key", () => provider({ apiKey: "nothing" }).send(unique())],
    [
      "a failing provider",
      () => {
        mail.mode("fail");
        return provider().send(unique());
      },
    ],
    ["an invalid address", () => provider().send({ ...unique(), to: "ada" })],
  ])("reports only that it failed: %s", async (_, attempt) => {
    const failure = await attempt().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: "provider.failed" });
    expect(failure).not.toHaveProperty("cause", expect.anything());
  });

  test("stops waiting for a provider that does not respond, and a retry does not send the mail again", async () => {
    const wanted = unique();
    mail.mode("swallow");
    const impatient = provider({ sendTimeoutMs: 1_000 });
    await expect(impatient.send(wanted)).rejects.toMatchObject({ code: "provider.failed" });
    expect(mail.mails).toHaveLength(1);
    mail.mode("normal");
    const { id } = await provider().send(wanted);
    expect(mail.mails.map((stored) => stored.id)).toEqual([id]);
  });
});

describe("an invalid request gets the error of Resend:", () => {
  const whole = { from: "a@b.example", to: ["c@d.example"], subject: "s", text: "t" };
  test.each([
    [{ ...whole, from: undefined }, 422, "missing_required_field", "from"],
    [{ ...whole, to: [] }, 422, "missing_required_field", "to"],
    [{ ...whole, subject: "" }, 422, "missing_required_field", "subject"],
    [{ ...whole, text: undefined }, 422, "missing_required_field", "html"],
    [{ ...whole, to: ["c@d.example, e@f.example"] }, 422, "validation_error", "to"],
    [{ ...whole, to: ["A\r\nBcc: x@y.example <c@d.example>"] }, 422, "validation_error", "to"],
    [{ ...whole, subject: "a\nb" }, 422, "validation_error", "subject"],
    [{ ...whole, tags: [{ name: "a b", value: "c" }] }, 422, "validation_error", "Tags"],
    ["text", 422, "validation_error", "JSON"],
  ])("%j: %i %s about %s", async (body, status, name, about) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ statusCode: status, name, message: expect.stringContaining(about) });
    expect(mail.mails).toEqual([]);
  });

  test("a missing key is 401, another vendor's 403, a long idempotency key 400, another address 404", async () => {
    for (const [authorization, status, name] of [
      ["", 401, "missing_api_key"],
      ["Bearer sk_test_1", 403, "invalid_api_key"],
    ] as const) {
      const response = await post(whole, { authorization });
      expect([response.status, await response.json()]).toMatchObject([status, { name }]);
    }
    expect((await post(whole, { "idempotency-key": "k".repeat(257) })).status).toBe(400);
    const other = await fetch(`${mail.url}/domains`, { method: "POST" });
    expect([other.status, await other.json()]).toMatchObject([404, { name: "not_found" }]);
  });
});

describe("an event", () => {
  test.each(["delivery_delayed", "failed", "suppressed", "delivered", "bounced", "complained"] as const)(
    "%s is signed as the real SDK requires",
    async (outcome) => {
      const wanted = unique();
      await provider().send(wanted);
      const [sent] = mail.mails;
      if (sent === undefined) throw new Error("There is no mail.");
      expect(await mail.report(sent, outcome)).toBe(true);
      const { headers, body } = await reported(`email.${outcome}`);
      const verified = new Resend("re_tests").webhooks.verify({
        payload: body,
        headers: {
          id: String(headers["svix-id"]),
          timestamp: String(headers["svix-timestamp"]),
          signature: String(headers["svix-signature"]),
        },
        webhookSecret: SECRET,
      });
      expect(verified).toMatchObject({
        type: `email.${outcome}`,
        data: { email_id: sent.id, to: [sample.to], tags: { [MESSAGE_TAG]: wanted.messageId } },
      });
      expect(Object.keys(verified.data).filter((name) => ["bounce", "failed", "suppressed"].includes(name))).toEqual(
        { bounced: ["bounce"], failed: ["failed"], suppressed: ["suppressed"] }[String(outcome)] ?? [],
      );
      expect(sent.outcomes).toEqual(["sent", outcome]);
    },
  );

  test("about a mail to the service has no text, which the real SDK then reads", async () => {
    const inbound = { from: "ada@example.test", to: "hello@nectar.test", subject: "Hello", text: "Hi", html: null };
    expect(await mail.receive(inbound)).toBe(true);
    const { body } = await reported("email.received");
    const { data } = JSON.parse(body);
    expect(data).toEqual({
      email_id: mail.inbound.at(-1)?.id,
      created_at: expect.any(String),
      message_id: expect.any(String),
      from: inbound.from,
      to: [inbound.to],
      cc: [],
      bcc: [],
      received_for: [inbound.to],
      subject: "Hello",
      attachments: [],
    });
    // The event has no text; the real SDK reads it.
    const read = await new Resend("re_tests", { baseUrl: mail.url }).emails.receiving.get(data.email_id);
    expect(read.data).toMatchObject({ id: data.email_id, to: [inbound.to], text: "Hi", html: null, attachments: [] });
    expect(await provider().readReceived(data.email_id, 5_000)).toEqual({
      from: inbound.from,
      to: [inbound.to],
      subject: "Hello",
      text: "Hi",
      html: null,
    });
    expect(await provider().readReceived(crypto.randomUUID(), 5_000)).toBeNull();
  });

  test.each(["sending access", "fail", "hang"] as const)(
    "reading a mail to the service fails in the mode %s",
    async (mode) => {
      await mail.receive({ from: "a@b.example", to: "c@d.example", subject: "s", text: "t", html: null });
      mail.mode(mode);
      const read = provider().readReceived(mail.inbound.at(-1)?.id ?? "", 300);
      await expect(read).rejects.toMatchObject({ code: "provider.failed" });
    },
  );
});

describe("requests above the limit of a second", () => {
  test("get 429 with the seconds to wait, and succeed after that", async () => {
    const limited = await startMail({ webhookSecret: SECRET, requestsPerSecond: RESEND_REQUESTS_PER_SECOND });
    try {
      const get = () => fetch(`${limited.url}/emails/receiving/1`, { headers: { authorization: "Bearer re_tests" } });
      const responses = await Promise.all(Array.from({ length: 20 }, get));
      const busy = responses.find(({ status }) => status === 429);
      expect(busy?.headers.get("retry-after")).toBe("1");
      expect(await busy?.json()).toMatchObject({ statusCode: 429, name: "rate_limit_exceeded" });
      await expect.poll(async () => (await get()).status, { timeout: 20_000, interval: 300 }).toBe(404);
    } finally {
      await limited.stop();
    }
  });
});

describe("the mailbox", () => {
  test("shows every mail escaped and in an empty sandbox", async () => {
    await provider().send({ ...unique(), subject: "<b>1</b>", html: `<script>"'</script>`, text: "<i>plain</i>" });
    const response = await fetch(mail.url);
    const html = await response.text();
    expect(html).toContain("&lt;b&gt;1&lt;/b&gt;");
    expect(html).not.toContain("<script");
    expect(html.match(/<iframe [^>]*>/g)).toEqual([
      expect.stringContaining('sandbox=""'),
      expect.stringContaining('sandbox=""'),
    ]);
    expect(html).toContain('srcdoc="&lt;script&gt;&quot;&#39;&lt;/script&gt;"');
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain("script-src");
  });

  test("has buttons that report results to the webhook, and a form for a mail to the service", async () => {
    const { id } = await provider().send(unique());
    for (const outcome of ["failed", "suppressed", "delivered", "bounced", "complained"]) {
      const pressed = await fetch(`${mail.url}/mails/${id}/${outcome}`, { method: "POST", redirect: "manual" });
      expect(pressed.status).toBe(303);
      await reported(`email.${outcome}`);
    }
    expect(await (await fetch(mail.url)).text()).toContain("sent, failed, suppressed, delivered, bounced, complained");
    const form = new URLSearchParams({ from: "a@b.example", to: "c@d.example", subject: "In", text: "Hi", html: "" });
    const sent = await fetch(`${mail.url}/inbound`, { method: "POST", body: form, redirect: "manual" });
    expect(sent.status).toBe(303);
    expect(mail.inbound.at(-1)).toMatchObject({ subject: "In", text: "Hi", html: null });
    expect((await fetch(`${mail.url}/mails/${id}/sold`, { method: "POST" })).status).toBe(404);
  });
});
