import { randomUUID } from "node:crypto";
import { resendEmail } from "@nectar/providers/email";
import { beforeAll, describe, expect, it } from "vitest";
import { emailApp } from "../../../functions/email/app.ts";
import { useApi } from "../../support/api.ts";
import { clientOf } from "../../support/client.ts";
import { behind, MAIL_FROM, useMail } from "../../support/mail.ts";
import { asSuperuser, type Person, tokenFor } from "../../support/people.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, LOG_LEVEL: "trace" } });
let ada: Person;
beforeAll(async () => {
  ada = await api.person({ email: "Ada.Canary@example.test" });
});

const KB = 1024;
const someone = () => `${randomUUID().slice(0, 8)}@example.test`;
const letter = (more: object = {}) => ({ to: someone(), subject: "Good news", html: "<p>Hi</p>", text: "Hi", ...more });
const send = (as: Person | undefined, body: unknown, headers?: Record<string, string>) =>
  api.post("/api/email/send", as, body, headers);

/** Sends through a provider that gets two seconds instead of ten. */
function sendImpatiently(as: Person, body: unknown, headers: Record<string, string>) {
  const email = resendEmail({ apiKey: "re_tests", baseUrl: mail.url, from: MAIL_FROM, sendTimeoutMs: 2_000 });
  return clientOf(emailApp({ ...api.services, email }).fetch).post("/api/email/send", as, body, headers);
}

function rowsOf(person: Person) {
  return behind(api, "select * from private.email_messages where user_id = $1 order by created_at", [person.id]);
}

describe("a mail", () => {
  it("comes from the service, goes to one address and is answered to the caller", async () => {
    const wanted = letter();
    const { status, body } = await send(ada, wanted);
    expect([status, body]).toEqual([200, { success: true, message_id: expect.any(String), status: "sent" }]);
    expect(mail.mails).toMatchObject([
      {
        from: MAIL_FROM,
        to: [wanted.to],
        replyTo: [ada.email],
        subject: "Good news",
        html: "<p>Hi</p>",
        text: "Hi",
        tags: { nectar_message: body.message_id },
      },
    ]);
  });

  it("may have one body, and a blank one is none", async () => {
    await send(ada, letter({ html: null }));
    await send(ada, letter({ text: undefined }));
    await send(ada, letter({ html: " \n" }));
    expect(mail.mails.map(({ html, text }) => ({ html, text }))).toEqual([
      { html: null, text: "Hi" },
      { html: "<p>Hi</p>", text: null },
      { html: null, text: "Hi" },
    ]);
  });

  it("is kept without its text: address and subject in the sender's row alone, and nothing in the log", async () => {
    const person = await api.person({ email: "sender.canary@example.test" });
    const canaries = { to: "recipient.canary@example.test", subject: "canary subject", html: "<p>canary html</p>" };
    await send(person, { ...canaries, text: "canary text" }, { "idempotency-key": "canary-key" });
    mail.mode("fail");
    await send(person, { ...canaries, text: "canary text" });
    expect(await rowsOf(person)).toHaveLength(2);
    const tables = await asSuperuser(api.adminUrl, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select format('%I.%I', n.nspname, c.relname) as name
         from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('nectar', 'private') and c.relkind = 'r'`,
      );
      const found: string[] = [];
      for (const { name } of rows) {
        const { rowCount } = await client.query(
          `select from ${name} t where t::text like any (array['%canary html%', '%canary text%'])
             or ('${name}' <> 'private.email_messages' and t::text like any (array['%recipient.canary%', '%canary subject%']))`,
        );
        if (rowCount !== 0) found.push(name);
      }
      return { looked: rows.length, found };
    });
    expect(tables).toEqual({ looked: expect.any(Number), found: [] });
    expect(tables.looked).toBeGreaterThan(20);
    expect(api.logged()).toContain("/api/email/send");
    expect(api.logged().toLowerCase()).not.toContain("canary");
  });
});

describe("the caller", () => {
  it("is answered at the address in the database, whatever the token says", async () => {
    const person = await api.person();
    const token = await tokenFor({ sub: person.id, email: "forged@example.test" });
    await send({ ...person, token }, letter());
    expect(mail.mails.map(({ replyTo }) => replyTo)).toEqual([[person.email]]);
  });

  it("needs a confirmed address of their own", async () => {
    const person = await api.person({ confirmed: false });
    const { status, body } = await send(person, letter());
    expect([status, body.code]).toEqual([403, "email.sender_not_confirmed"]);
    expect(mail.mails).toEqual([]);
  });

  it("is 401 when the account is gone", async () => {
    const person = await api.person();
    await behind(api, "delete from auth.users where id = $1", [person.id]);
    const { status, body } = await send(person, letter());
    expect([status, body.code]).toEqual([401, "auth.unknown_account"]);
  });
});

describe("what is refused", () => {
  const long = (count: number) => "a".repeat(count);
  it.each([
    ["no address", ""],
    ["two addresses", "a@example.test,b@example.test"],
    ["two addresses with a blank", "a@example.test b@example.test"],
    ["a list", ["a@example.test"]],
    ["a display name", "Ada <a@example.test>"],
    ["angle brackets", "<a@example.test>"],
    ["a header of its own", "a@example.test\r\nBcc: b@example.test"],
    ["a line break at the end", "a@example.test\r\n"],
    ["a line break before", "\na@example.test"],
    ["a tab", "a@example.test\t"],
    ["a quoted local part", '"a b"@example.test'],
    ["a comment", "a(comment)@example.test"],
    ["no domain", "a@"],
    ["no dot in the domain", "a@localhost"],
    ["an address literal", "a@[127.0.0.1]"],
    ["two dots", "a..b@example.test"],
    ["a dot at the end of the name", "a.@example.test"],
    ["two at signs", "a@b@example.test"],
    ["a hyphen at the edge of a label", "a@-example.test"],
    ["other letters", "ä@example.test"],
    ["a null character", "a\u0000@example.test"],
    ["a group", "friends:a@example.test;"],
    ["a percent route", "@relay.test:a@example.test"],
    ["a long name", `${long(65)}@example.test`],
    ["a long label", `a@${long(64)}.test`],
    ["255 characters", `a@${`${long(61)}.`.repeat(4)}test`.padEnd(255, "t")],
    ["nothing", undefined],
    ["null", null],
  ])("an address that is %s", async (_, to) => {
    const { status, body } = await send(ada, letter({ to }));
    expect(status).toBe(400);
    // A null character is no text at all and refused with the whole body.
    if (body.code !== "request.malformed_json") expect(body.issues).toMatchObject([{ path: "to" }]);
    expect(mail.mails).toEqual([]);
  });

  it("no address with an odd but sound form", async () => {
    const person = await api.person();
    for (const to of ["a+b@example.test", "o'hara@sub.example.test", "A.B_C-d@xn--bcher-kva.example"]) {
      expect((await send(person, letter({ to }))).status, to).toBe(200);
    }
  });

  it.each([
    ["blank", "  "],
    ["a header of its own", "Hi\r\nBcc: b@example.test"],
    ["a line feed", "Hi\nthere"],
    ["a carriage return at the end", "Hi\r"],
    ["a tab", "Hi\tthere"],
    ["an escape", "Hi\u001b[31m"],
    ["a delete", "Hi\u007f"],
    ["a next line", "Hi\u0085there"],
    ["a line separator", "Hi\u2028there"],
    ["a paragraph separator", "Hi\u2029there"],
    ["256 characters", long(256)],
    ["missing", undefined],
  ])("a subject that is %s", async (_, subject) => {
    const { status, body } = await send(ada, letter({ subject }));
    expect([status, body.issues]).toMatchObject([400, [{ path: "subject" }]]);
    expect(mail.mails).toEqual([]);
  });

  it("no subject of 255 characters", async () => {
    const subject = "🐝".repeat(255);
    expect((await send(await api.person(), letter({ subject }))).status).toBe(200);
    expect(mail.mails[0]?.subject).toBe(subject);
  });

  it.each([
    ["html", "text"],
    ["text", "html"],
  ])("%s above 256 KB, counted in bytes", async (field, other) => {
    const person = await api.person();
    const whole = "ä".repeat(128 * KB);
    for (const tooMuch of [`${whole}a`, "a".repeat(300 * KB)]) {
      const { status, body } = await send(person, letter({ [field]: tooMuch }));
      expect([status, body.issues]).toMatchObject([400, [{ path: field }]]);
    }
    expect((await send(person, letter({ [field]: whole, [other]: whole }))).status).toBe(200);
    expect(mail.mails).toHaveLength(1);
    const { status } = await send(person, letter({ [field]: "a".repeat(1024 * KB) }));
    expect(status).toBe(413);
  });

  it("a mail without a body, and every problem at once", async () => {
    for (const bodies of [{}, { html: null, text: null }, { html: "", text: " " }]) {
      const { status, body } = await send(ada, { to: someone(), subject: "Hi", ...bodies });
      expect([status, body.issues]).toMatchObject([400, [{ path: "text" }]]);
    }
    const { body } = await send(ada, { to: "x", subject: "\n", html: 1, text: 2 });
    expect(body.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual(["html", "subject", "text", "to"]);
    const { body: bare } = await send(ada, { to: "x", subject: "Hi" });
    expect(bare.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual(["text", "to"]);
    expect(mail.mails).toEqual([]);
  });
});

describe("an address that gets no mail", () => {
  it("is answered like any other, in upper and lower case, and nothing is sent", async () => {
    const person = await api.person();
    const to = someone();
    await behind(
      api,
      "insert into private.email_suppressions (address_hash, reason, event_id) values (private.email_address_hash($1), 'bounced', 'e')",
      [to],
    );
    for (const address of [to, to.toUpperCase()]) {
      const { status, body } = await send(person, letter({ to: address }));
      expect([status, body]).toEqual([200, { success: true, message_id: expect.any(String), status: "suppressed" }]);
    }
    expect(mail.mails).toEqual([]);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["suppressed", "suppressed"]);
  });

  it("stays the same answer for the same key", async () => {
    const person = await api.person();
    const to = someone();
    await behind(
      api,
      "insert into private.email_suppressions (address_hash, reason, event_id) values (private.email_address_hash($1), 'complained', 'e')",
      [to],
    );
    const wanted = letter({ to });
    const key = { "idempotency-key": "suppressed" };
    const [first, second] = [await send(person, wanted, key), await send(person, wanted, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await rowsOf(person)).toHaveLength(1);
  });
});

describe("how many mails", () => {
  it("64 at once: exactly the 20 of an hour, each counted once", async () => {
    const person = await api.person();
    const answers = await Promise.all(Array.from({ length: 64 }, () => send(person, letter())));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(20);
    expect(mail.mails).toHaveLength(20);
    expect(await rowsOf(person)).toHaveLength(20);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, "email.quota_exhausted"]);
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(3500);
      expect(seconds).toBeLessThanOrEqual(3600);
    }
  });

  it("64 at once to one address, however it is written: exactly 5", async () => {
    const person = await api.person();
    const to = someone();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => send(person, letter({ to: index % 2 === 0 ? to : to.toUpperCase() }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(mail.mails).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(59);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(86_000);
    expect((await send(person, letter())).status).toBe(200);
    expect((await send(ada, letter({ to }))).status).toBe(200);
  });

  it("64 at once with one key: one mail, counted once", async () => {
    const person = await api.person();
    const wanted = letter();
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => send(person, wanted, { "idempotency-key": "once" })),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(mail.mails).toHaveLength(1);
    expect(await rowsOf(person)).toHaveLength(1);
  });
});

describe("a mail that is tried again", () => {
  it("with its key is answered the same and sent once; with another body it is 409", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "again" };
    const first = await send(person, wanted, key);
    const second = await send(person, wanted, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect((await send(person, letter(), key)).body.code).toBe("idempotency.key_reused");
    expect(mail.mails).toHaveLength(1);
    expect((await send(ada, wanted, key)).body.message_id).not.toBe(first.body.message_id);
  });

  it("after the provider failed: one row, one mail, counted once", async () => {
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

  it("without a key is another mail, and what failed stays counted", async () => {
    const person = await api.person();
    const wanted = letter();
    mail.mode("fail");
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await send(person, wanted)).status).toBe(500);
    mail.mode("normal");
    expect((await send(person, wanted)).status).toBe(429);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "failed"));
  });

  it("after the database failed behind the provider's back: the same mail, sent once", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "cut" };
    await behind(
      api,
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
      await behind(api, "drop function private.fail_for_a_test() cascade");
    }
    const { status, body } = await send(person, wanted, key);
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(await rowsOf(person)).toMatchObject([
      { id: body.message_id, state: "sent", provider_id: mail.mails[0]?.id },
    ]);
    expect(mail.mails).toHaveLength(1);
  });

  it("while the first try is lost between provider and answer: sent once, and the late failure undoes nothing", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "lost" };
    mail.mode("swallow");
    const lost = send(person, wanted, key);
    await expect.poll(() => mail.mails.length, { timeout: 9_000 }).toBe(1);
    mail.mode("normal");
    // As long as the first try may still be alive it is waited for.
    expect((await send(person, wanted, key)).body.code).toBe("idempotency.in_progress");
    await behind(
      api,
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

  it("to an address that bounced in between is not sent", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "bounced" };
    mail.mode("fail");
    await send(person, wanted, key);
    mail.mode("normal");
    await behind(
      api,
      "insert into private.email_suppressions (address_hash, reason, event_id) values (private.email_address_hash($1), 'bounced', 'e')",
      [wanted.to],
    );
    expect((await send(person, wanted, key)).body.status).toBe("suppressed");
    expect(mail.mails).toEqual([]);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["suppressed"]);
  });

  it("to somebody who got it and complained in between was sent, and is answered so", async () => {
    const person = await api.person();
    const wanted = letter();
    const key = { "idempotency-key": "complained" };
    mail.mode("swallow");
    expect((await sendImpatiently(person, wanted, key)).body.code).toBe("provider.failed");
    mail.mode("normal");
    const [row] = await rowsOf(person);
    await behind(
      api,
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

  it("when nobody answers at all is 500 after a while, and the key is free again", async () => {
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
