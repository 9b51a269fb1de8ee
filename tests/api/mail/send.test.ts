import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { MAIL_FROM, useMail } from "#tests/mail";
import { tokenFor } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { letter, mailsOf, someone } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, LOG_LEVEL: "trace" } });
const ada = beforeTests(() => api.person({ email: "Ada.Canary@example.test" }));

const { send, rowsOf, suppress } = mailsOf(api);

describe("a mail", () => {
  it("is sent from the service's address to one recipient, with replies to the sender", async () => {
    const wanted = letter();
    const body = await send(ada, wanted).ok();
    expect(body).toEqual({ success: true, message_id: expect.any(String), status: "sent" });
    const addresses = { from: MAIL_FROM, to: [wanted.to], replyTo: [ada.email] };
    expect(mail.mails).toMatchObject([{ ...wanted, ...addresses, tags: { nectar_message: body.message_id } }]);
  });

  it("has html, text or both; a blank one is left out", async () => {
    await send(ada, letter({ html: null }));
    await send(ada, letter({ text: undefined }));
    await send(ada, letter({ html: " \n" }));
    expect(mail.mails.map(({ html, text }) => ({ html, text }))).toEqual([
      { html: null, text: "Hi" },
      { html: "<p>Hi</p>", text: null },
      { html: null, text: "Hi" },
    ]);
  });

  it("is stored without its text, with address and subject only in the sender's row, and nothing of it is logged", async () => {
    const person = await api.person({ email: "sender.canary@example.test" });
    const canaries = { to: "recipient.canary@example.test", subject: "canary subject", html: "<p>canary html</p>" };
    await send(person, { ...canaries, text: "canary text" }, { "idempotency-key": "canary-key" });
    mail.mode("fail");
    expect((await send(person, { ...canaries, text: "canary text" })).status).toBe(500);
    expect(await rowsOf(person)).toHaveLength(2);
    const tables = await api.query<{ name: string }>`select format('%I.%I', n.nspname, c.relname) as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('nectar', 'private') and c.relkind = 'r'`;
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await api.query(
        `select from ${name} t where t::text like any (array['%canary html%', '%canary text%'])
           or ('${name}' <> 'private.email_messages' and t::text like any (array['%recipient.canary%', '%canary subject%']))`,
      );
      if (rows.length !== 0) found.push(name);
    }
    expect(found).toEqual([]);
    expect(tables.length).toBeGreaterThan(20);
    expect(api.logged()).toContain("/api/email/send");
    expect(api.logged().toLowerCase()).not.toContain("canary");
  });
});

describe("the sender", () => {
  it("receives replies at the address in the database, whatever the token says", async () => {
    const person = await api.person();
    const token = await tokenFor({ sub: person.id, email: "forged@example.test" });
    await send({ ...person, token }, letter());
    expect(mail.mails.map(({ replyTo }) => replyTo)).toEqual([[person.email]]);
  });

  it("needs a confirmed address", async () => {
    const person = await api.person({ confirmed: false });
    await send(person, letter()).refused(403, "email.sender_not_confirmed");
    expect(mail.mails).toEqual([]);
  });
});

describe("a suppressed address", () => {
  it("gets no mail, in upper or lower case, and the sender a success", async () => {
    const person = await api.person();
    const to = someone();
    await suppress(to);
    for (const address of [to, to.toUpperCase()]) {
      const [wanted, key] = [letter({ to: address }), { "idempotency-key": address }];
      const body = await send(person, wanted, key).ok();
      expect(body).toEqual({ success: true, message_id: expect.any(String), status: "suppressed" });
      expect(await send(person, wanted, key).ok()).toEqual(body);
    }
    expect(mail.mails).toEqual([]);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["suppressed", "suppressed"]);
  });
});

describe("the limits", () => {
  it("let 20 of 64 simultaneous mails through in an hour", async () => {
    const person = await api.person();
    const responses = await Promise.all(Array.from({ length: 64 }, () => send(person, letter())));
    const refused = responses.filter(({ status }) => status !== 200);
    expect([refused.length, mail.mails.length, (await rowsOf(person)).length]).toEqual([44, 20, 20]);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, "email.quota_exhausted"]);
      const seconds = Number(headers.get("retry-after"));
      expect(seconds > 3_500 && seconds <= 3_600, `${seconds}`).toBe(true);
    }
  });

  it("let 5 of 64 simultaneous mails to one address through, in upper or lower case", async () => {
    const person = await api.person();
    const to = someone();
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, index) => send(person, letter({ to: index % 2 === 0 ? to : to.toUpperCase() }))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(mail.mails).toHaveLength(5);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(59);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(86_000);
    await send(person, letter()).ok();
    await send(await api.person(), letter({ to })).ok();
  });

  it("count 64 simultaneous requests with one key as one mail", async () => {
    const person = await api.person();
    const wanted = letter();
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => send(person, wanted, { "idempotency-key": "once" })),
    );
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(mail.mails).toHaveLength(1);
    expect(await rowsOf(person)).toHaveLength(1);
  });
});
