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
      const body = await send(person, letter({ to: address })).ok();
      expect(body).toEqual({ success: true, message_id: expect.any(String), status: "suppressed" });
    }
    expect(mail.mails).toEqual([]);
    expect((await rowsOf(person)).map(({ state }) => state)).toEqual(["suppressed", "suppressed"]);
  });

  it("gets the same response again for the same key", async () => {
    const person = await api.person();
    const to = someone();
    await suppress(to);
    const wanted = letter({ to });
    const key = { "idempotency-key": "suppressed" };
    const [first, second] = [await send(person, wanted, key), await send(person, wanted, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await rowsOf(person)).toHaveLength(1);
  });
});
