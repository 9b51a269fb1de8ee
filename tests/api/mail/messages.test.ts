import { describe, expect, it } from "vitest";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { someone } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET } });
const busy = await useMail({ requestsPerSecond: 2 });
const limited = useApi({ environment: busy.environment });
const stranger = beforeTests(() => api.person());

/** Sends a mail. @returns its id, and what the provider has of it */
async function send(as: Person, subject = "Hi", to = someone()) {
  const { message_id: id } = await api.post("/api/email/send", as, { to, subject, text: "Hi" }).ok();
  return { id: String(id), to, stored: mail.mails.find(({ tags }) => tags.nectar_message === id) };
}

async function report(sent: Awaited<ReturnType<typeof send>>, outcome: string) {
  const body = JSON.stringify({
    type: `email.${outcome}`,
    created_at: new Date().toISOString(),
    data: { email_id: sent.stored?.id, to: [sent.to], tags: sent.stored?.tags, bounce: { type: "Permanent" } },
  });
  const headers = { ...svixHeaders(body, MAIL_SECRET) };
  await api.send("POST", "/api/email/webhook", { body, headers }).ok();
}

const read = async (as: Person, id: string) => (await api.get(`/api/email/messages/${id}`, as)).body.message;

describe("a sent mail", () => {
  it("is shown with address and subject, and as sent until the first event", async () => {
    const ada = await api.person();
    const sent = await send(ada, "Good news", "Grace.Hopper@Example.test");
    const message = {
      id: sent.id,
      to: "Grace.Hopper@Example.test",
      subject: "Good news",
      status: "sent",
      delivery: "sent",
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    };
    expect((await api.get("/api/email/messages", ada)).body).toEqual({ messages: [message], next_cursor: null });
    expect((await api.get(`/api/email/messages/${sent.id}`, ada)).body).toEqual({ message });
  });

  it.each([
    ["sent", "sent"],
    ["delivery_delayed", "delayed"],
    ["failed", "failed"],
    ["suppressed", "suppressed"],
    ["delivered", "delivered"],
    ["bounced", "bounced"],
    ["complained", "complained"],
  ])("shows the delivery of the event %s", async (outcome, delivery) => {
    const ada = await api.person();
    const sent = await send(ada);
    const before = await read(ada, sent.id);
    await report(sent, outcome);
    const after = await read(ada, sent.id);
    expect(after).toEqual({ ...before, delivery, updated_at: expect.any(String) });
    expect(after.updated_at >= before.updated_at).toBe(true);
    expect(before.updated_at >= before.created_at).toBe(true);
  });

  it("that the provider did not accept has no delivery", async () => {
    const ada = await api.person();
    mail.mode("fail");
    await api.post("/api/email/send", ada, { to: someone(), subject: "Lost", text: "Hi" }).refused(500);
    mail.mode("normal");
    const bounced = await send(ada);
    await report(bounced, "bounced");
    await send(ada, "Not sent", bounced.to);
    const { messages } = await api.get("/api/email/messages", ada).ok();
    // Newest first.
    expect(messages).toMatchObject([
      { subject: "Not sent", status: "suppressed", delivery: null },
      { subject: "Hi", status: "sent", delivery: "bounced" },
      { subject: "Lost", status: "failed", delivery: null },
    ]);
  });

  it("is only visible to its sender, not even to super admins", async () => {
    const ada = await api.person();
    const { id } = await send(ada);
    for (const other of [stranger, await api.person({ role: "super_admin" })]) {
      expect((await api.get("/api/email/messages", other)).body).toEqual({ messages: [], next_cursor: null });
      await api.get(`/api/email/messages/${id}`, other).refused(404, "email.message_not_found");
    }
  });
});

it("many simultaneous mails are all sent despite the provider's rate limit", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => limited.person()));
  const before = busy.refusals();
  const responses = await Promise.all(
    people.map((person) => limited.post("/api/email/send", person, { to: someone(), subject: "Hi", text: "Hi" })),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(busy.mails).toHaveLength(4);
  expect(busy.refusals()).toBeGreaterThan(before);
});
