import { createServer } from "node:http";
import { Resend } from "resend";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "#core/errors";
import { type MailStandIn, startMail } from "#local/stand-ins/mail";
import { listenLocally } from "#local/support/listen";
import { type Mail, MESSAGE_TAG, resendEmail } from "#providers/email";

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

async function reported(type: string) {
  await expect.poll(() => events.some(({ body }) => body.includes(`"type":"${type}"`))).toBe(true);
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
    const sending = expect(provider({ sendTimeoutMs: 5_000 }).send(wanted)).rejects.toMatchObject({
      code: "provider.failed",
    });
    await expect.poll(() => mail.mails.length).toBe(1);
    await sending;
    mail.mode("normal");
    const { id } = await provider().send(wanted);
    expect(mail.mails.map((stored) => stored.id)).toEqual([id]);
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
