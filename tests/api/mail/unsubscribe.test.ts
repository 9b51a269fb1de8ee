import { describe, expect, it, vi } from "vitest";
import { unsubscribeToken as tokenOf } from "#core/people/unsubscribe-token";
import { routeToGroups } from "#functions/all";
import { useApi } from "#tests/api";
import { useCollector } from "#tests/collector";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { beforeTests } from "#tests/prepare";
import { mailEventsOf } from "./mail-events.ts";
import { letter, mailsOf, someone } from "./sending.ts";

const SECRET = "the-first-secret-of-the-unsubscribe-tests";
const mail = await useMail();
const collector = await useCollector();
const api = useApi({
  environment: {
    ...mail.environment,
    ...collector.environment,
    EMAIL_WEBHOOK_SECRET: MAIL_SECRET,
    PUBLIC_URL: "https://api.nectar.test/",
    EMAIL_UNSUBSCRIBE_SECRET: `${SECRET}, an-older-secret-of-the-unsubscribe-tests`,
    LOG_LEVEL: "trace",
  },
});
const { send, suppress } = mailsOf(api);
const { deliver, sentMail } = mailEventsOf(mail, api);
const sender = beforeTests(() => api.person());

const ONE_CLICK = { "content-type": "application/x-www-form-urlencoded" };
const PATH = "/api/email/unsubscribe";

/** Sends a mail and returns the path in its header. */
async function linkTo(address: string): Promise<`${typeof PATH}?token=${string}`> {
  await send(await api.person(), letter({ to: address })).ok();
  const header = mail.mails.at(-1)?.headers["List-Unsubscribe"] ?? "";
  const [, token] = /^<https:\/\/api\.nectar\.test\/api\/email\/unsubscribe\?token=([\w-]+)>$/.exec(header) ?? [];
  if (token === undefined) throw new Error(`There is no link in ${header}.`);
  return `${PATH}?token=${token}`;
}

const unsubscribe = (link: `${typeof PATH}?token=${string}`) => api.send("POST", link);
const statusOf = async (to: string) => (await send(await api.person(), letter({ to })).ok()).status;
/** Opens a page, which is no JSON. */
const open = async (link: string, request?: RequestInit) =>
  routeToGroups(api.services)(
    new Request(`https://api.nectar.test${link}`, { headers: { accept: "text/html, */*;q=0.8" }, ...request }),
  );

describe("a mail", () => {
  it("has the headers of RFC 8058, which do not show the address", async () => {
    const to = someone();
    const link = await linkTo(to);
    expect(mail.mails.at(-1)?.headers).toEqual({
      "List-Unsubscribe": `<https://api.nectar.test${link}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    const token = link.split("=")[1] ?? "";
    const shown = `${token} ${Buffer.from(token, "base64url").toString("latin1")} ${Buffer.from(token, "base64url").toString("hex")}`;
    for (const part of [to, to.split("@")[0] ?? "", Buffer.from(to).toString("hex")]) expect(shown).not.toContain(part);
  });

  it("has the same link for an address in upper and lower case", async () => {
    const to = someone();
    expect(await linkTo(to.toUpperCase())).toBe(await linkTo(to));
  });
});

describe("POST /api/email/unsubscribe", () => {
  it.each([
    ["the body of a mail program", { body: "List-Unsubscribe=One-Click", headers: ONE_CLICK }],
    ["the same as a form", { body: formOf("List-Unsubscribe", "One-Click") }],
    ["no body", {}],
  ])("stops all mail to the address, with %s, also when repeated", async (_, request) => {
    const to = someone();
    const link = await linkTo(to);
    for (let n = 0; n < 2; n += 1) {
      const response = await api.send("POST", link, request).ok();
      expect(response).toEqual({ message: "No more mail is sent to this address." });
    }
    expect(await statusOf(to)).toBe("suppressed");
    expect(await statusOf(to.toUpperCase())).toBe("suppressed");
    expect(await statusOf(someone())).toBe("sent");
  });

  it("accepts links that an older secret signed, and no others", async () => {
    const to = someone();
    const older = tokenOf(to, "an-older-secret-of-the-unsubscribe-tests");
    await unsubscribe(`${PATH}?token=${older}`).ok();
    expect(await statusOf(to)).toBe("suppressed");
    const foreign = tokenOf(to, "a-secret-of-another-service-altogether");
    await unsubscribe(`${PATH}?token=${foreign}`).refused(400, "email.invalid_unsubscribe_link");
  });

  it("is 400 for a missing or forged token, as GET is", async () => {
    const good = (await linkTo(someone())).split("=")[1] ?? "";
    const other = (await linkTo(someone())).split("=")[1] ?? "";
    const forged = [`${good}A`, good.slice(0, -1), good.slice(0, 43) + other.slice(43), "", "x", "A".repeat(86)];
    for (const method of ["POST", "GET"] as const) {
      for (const token of forged) {
        const { status, body } = await api.send(method, `${PATH}?token=${token}`);
        expect([status, body.code]).toEqual([400, "email.invalid_unsubscribe_link"]);
      }
      await api.send(method, PATH).invalid("token");
    }
  });

  it("refuses a forged token without the database", async () => {
    const transaction = vi.spyOn(api.services.database, "asService");
    await unsubscribe(`${PATH}?token=forged`).refused(400);
    expect(transaction).not.toHaveBeenCalled();
    await unsubscribe(`${PATH}?token=${tokenOf(someone(), SECRET)}`).ok();
    expect(transaction).toHaveBeenCalledOnce();
    transaction.mockRestore();
  });
});

describe("GET /api/email/unsubscribe", () => {
  it("shows a page with a button and changes nothing", async () => {
    const to = someone();
    const link = await linkTo(to);
    const response = await open(link);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; form-action 'self'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const page = await response.text();
    expect(page).toContain('<form method="post">');
    expect(page).not.toContain(to);
    expect(await statusOf(to)).toBe("sent");
  });

  it("has a button after which a browser shows a sentence", async () => {
    const to = someone();
    const link = await linkTo(to);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const response = await open(link, { method: "POST", body });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain("<p>No more mail is sent to this address.</p>");
    expect(await statusOf(to)).toBe("suppressed");
  });
});

describe("DELETE /api/email/suppression", () => {
  it("allows mail to one's own address again after it was unsubscribed, also when there is nothing to undo", async () => {
    const person = await api.person();
    await unsubscribe(await linkTo(person.email)).ok();
    expect(await statusOf(person.email)).toBe("suppressed");
    for (let n = 0; n < 2; n += 1) {
      const response = await api.delete("/api/email/suppression", person).ok();
      expect(response).toEqual({ message: "Mail is sent to your address again." });
      expect(await statusOf(person.email)).toBe("sent");
    }
  });

  it("does not undo it for other addresses", async () => {
    const to = someone();
    await unsubscribe(await linkTo(to)).ok();
    await api.delete("/api/email/suppression", sender).ok();
    expect(await statusOf(to)).toBe("suppressed");
  });

  it("is 403 without a confirmed address", async () => {
    const person = await api.person({ confirmed: false });
    await api.delete("/api/email/suppression", person).refused(403, "email.sender_not_confirmed");
  });

  it("does not undo a bounce, also if the address was unsubscribed before or afterwards", async () => {
    const [person, other] = [await api.person(), await api.person()];
    await suppress(person.email);
    const link = await linkTo(other.email);
    await unsubscribe(`${PATH}?token=${tokenOf(person.email, SECRET)}`).ok();
    await api.delete("/api/email/suppression", person).refused(409, "email.undeliverable");
    const { event } = await sentMail();
    await unsubscribe(link).ok();
    const complaint = event("complained");
    for (let n = 0; n < 2; n += 1) {
      await deliver({
        ...complaint,
        data: { ...complaint.data, tags: {}, email_id: "unknown", to: [other.email] },
      }).ok();
    }
    await api.delete("/api/email/suppression", other).refused(409, "email.undeliverable");
    expect(await statusOf(other.email)).toBe("suppressed");
  });
});

it("no log and no span has the token of a request, whatever becomes of it", async () => {
  const link = await linkTo(someone());
  const token = link.split("=")[1] ?? "";
  await open(link);
  await unsubscribe(link).ok();
  await unsubscribe(`${link}x`).refused(400);
  await api.query`alter table private.email_suppressions add constraint broken check (reason <> 'unsubscribed') not valid`;
  const another = await linkTo(someone());
  await unsubscribe(another).refused(500);
  await api.query`alter table private.email_suppressions drop constraint broken`;
  await api.services.telemetry?.flush();
  for (const text of [api.logged(), collector.received()]) {
    expect(text).toContain(PATH);
    expect(text).not.toContain(token);
    expect(text).not.toContain(another.split("=")[1]);
  }
});

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}
