import { describe, expect, it } from "vitest";
import { emailApp } from "#functions/mail/app";
import { resendEmail } from "#providers/email";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { MAIL_FROM, useMail } from "#tests/mail";
import type { Person } from "#tests/people";
import { letter, mailsOf } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: mail.environment });

const { send, rowsOf, suppress } = mailsOf(api);

/** Sends with a timeout of two seconds instead of ten. */
function sendImpatiently(as: Person, body: unknown, headers: Record<string, string>) {
  const email = resendEmail({
    apiKey: "re_tests",
    baseUrl: mail.url,
    from: MAIL_FROM,
    unsubscribe: null,
    sendTimeoutMs: 2_000,
  });
  return clientOf(emailApp({ ...api.services, email }).fetch).post("/api/email/send", as, body, headers);
}

describe("a repeated request", () => {
  it("with the same key sends no second mail and gets the same response; with another body it gets 409", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "again" };
    const first = await send(person, wanted, key);
    const second = await send(person, wanted, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect((await send(person, letter(), key)).body.code).toBe("idempotency.key_reused");
    expect(mail.mails).toHaveLength(1);
    expect((await send(await api.person(), wanted, key)).body.message_id).not.toBe(first.body.message_id);
  });

  it("after a failure of the provider sends one mail with one row, counted once", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "failed" };
    mail.mode("fail");
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status, body } = await send(person, wanted, key);
      expect([status, body.code]).toEqual([500, "provider.failed"]);
    }
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["failed"]);
    mail.mode("normal");
    const { status, body } = await send(person, wanted, key);
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(await rowsOf(person)).toMatchObject([{ id: body.message_id, state: "sent", request: null }]);
    expect(mail.mails).toHaveLength(1);
  });

  it("without a key is another mail, and failed mails stay counted", async () => {
    const person = await api.person();
    const wanted = letter();
    mail.mode("fail");
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await send(person, wanted)).status).toBe(500);
    mail.mode("normal");
    expect((await send(person, wanted)).status).toBe(429);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "failed"));
  });

  it("after a failure of the database sends no second mail", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "cut" };
    await api.query(
      `create function private.fail_for_a_test() returns trigger language plpgsql
         as $$ begin raise exception 'the disk is full'; end $$;
       create trigger fail_for_a_test before update on private.email_messages
         for each row when (new.state = 'sent') execute function private.fail_for_a_test()`,
    );
    try {
      expect((await send(person, wanted, key)).status).toBe(500);
      expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["pending"]);
      expect(mail.mails).toHaveLength(1);
    } finally {
      await api.query("drop function private.fail_for_a_test() cascade");
    }
    const { status, body } = await send(person, wanted, key);
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(await rowsOf(person)).toMatchObject([
      { id: body.message_id, state: "sent", provider_id: mail.mails[0]?.id },
    ]);
    expect(mail.mails).toHaveLength(1);
  });

  it("during a call whose response is lost sends no second mail, and the late failure changes nothing", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "lost" };
    mail.mode("swallow");
    const lost = send(person, wanted, key);
    await expect.poll(() => mail.mails.length, { timeout: 9_000 }).toBe(1);
    mail.mode("normal");
    // The first request may still be running.
    expect((await send(person, wanted, key)).body.code).toBe("idempotency.in_progress");
    await api.query(
      "update private.idempotency_keys set created_at = now() - interval '7 minutes' where user_id = $1",
      [person.id],
    );
    const { status, body } = await send(person, wanted, key);
    expect([status, body.status]).toEqual([200, "sent"]);
    expect((await lost).body.code).toBe("provider.failed");
    expect(await rowsOf(person)).toMatchObject([{ id: body.message_id, state: "sent" }]);
    const replay = await send(person, wanted, key);
    expect([replay.status, replay.body]).toEqual([200, body]);
    expect(mail.mails).toHaveLength(1);
  });

  it("to an address that bounced in between sends nothing", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "bounced" };
    mail.mode("fail");
    expect((await send(person, wanted, key)).body.code).toBe("provider.failed");
    mail.mode("normal");
    await suppress(wanted.to);
    expect((await send(person, wanted, key)).body.status).toBe("suppressed");
    expect(mail.mails).toEqual([]);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["suppressed"]);
  });

  it("of a mail whose recipient complained in between reports it as sent", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "complained" };
    mail.mode("swallow");
    expect((await sendImpatiently(person, wanted, key)).body.code).toBe("provider.failed");
    mail.mode("normal");
    const [row] = await rowsOf(person);
    await api.query(
      `select private.record_email_event(jsonb_build_object(
         'id', $1::text, 'is_verified', true, 'type', 'email.complained', 'happened_at', now(),
         'delivery', 'complained', 'message_id', $2::uuid, 'address', $3::text, 'suppresses', true))`,
      [`msg_${row?.id}`, row?.id, wanted.to],
    );
    const { status, body } = await send(person, wanted, key);
    expect([status, body]).toEqual([200, { success: true, message_id: row?.id, status: "sent" }]);
    expect(await rowsOf(person)).toMatchObject([
      { state: "sent", delivery: "complained", provider_id: mail.mails[0]?.id },
    ]);
    expect(mail.mails).toHaveLength(1);
    expect((await send(person, wanted)).body.status).toBe("suppressed");
  });

  it("can use the key of a request that timed out with 500", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "hang" };
    mail.mode("hang");
    const { status, body } = await sendImpatiently(person, wanted, key);
    expect([status, body.code]).toEqual([500, "provider.failed"]);
    mail.mode("normal");
    expect((await send(person, wanted, key)).status).toBe(200);
    expect(mail.mails).toHaveLength(1);
  });
});
