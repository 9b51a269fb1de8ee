import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useMail } from "#tests/mail";
import { beforeTests } from "#tests/prepare";
import { letter, mailsOf, someone } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: mail.environment });
const ada = beforeTests(() => api.person());

const KB = 1024;
const { send } = mailsOf(api);

describe("POST /api/email/send", () => {
  const long = (count: number) => "a".repeat(count);
  it.each([
    ["empty", ""],
    ["two addresses", "a@example.test,b@example.test"],
    ["two addresses with a blank", "a@example.test b@example.test"],
    ["a list", ["a@example.test"]],
    ["a display name", "Ada <a@example.test>"],
    ["angle brackets", "<a@example.test>"],
    ["followed by a header", "a@example.test\r\nBcc: b@example.test"],
    ["followed by a line break", "a@example.test\r\n"],
    ["preceded by a line break", "\na@example.test"],
    ["followed by a tab", "a@example.test\t"],
    ["a quoted local part", '"a b"@example.test'],
    ["a comment", "a(comment)@example.test"],
    ["without a domain", "a@"],
    ["without a dot in the domain", "a@localhost"],
    ["an address literal", "a@[127.0.0.1]"],
    ["two dots", "a..b@example.test"],
    ["a dot at the end of the name", "a.@example.test"],
    ["with two at signs", "a@b@example.test"],
    ["a hyphen at the edge of a label", "a@-example.test"],
    ["other letters", "ä@example.test"],
    ["a null character", "a\u0000@example.test"],
    ["a group", "friends:a@example.test;"],
    ["a percent route", "@relay.test:a@example.test"],
    ["a long name", `${long(65)}@example.test`],
    ["a long label", `a@${long(64)}.test`],
    ["255 characters", `a@${`${long(61)}.`.repeat(4)}test`.padEnd(255, "t")],
  ])("refuses an address that is %s", async (_, to) => {
    const body = await send(ada, letter({ to })).refused(400);
    // A body with a null character is refused as a whole.
    if (body.code !== "request.malformed_json") expect(body.issues).toMatchObject([{ path: "to" }]);
    expect(mail.mails).toEqual([]);
  });

  it("accepts unusual but valid addresses", async () => {
    const person = await api.person();
    for (const to of ["a+b@example.test", "o'hara@sub.example.test", "A.B_C-d@xn--bcher-kva.example"]) {
      expect((await send(person, letter({ to }))).status, to).toBe(200);
    }
  });

  it.each([
    ["blank", "  "],
    ["followed by a header", "Hi\r\nBcc: b@example.test"],
    ["a line feed", "Hi\nthere"],
    ["a carriage return at the end", "Hi\r"],
    ["a tab", "Hi\tthere"],
    ["an escape", "Hi\u001b[31m"],
    ["a delete", "Hi\u007f"],
    ["a next line", "Hi\u0085there"],
    ["a line separator", "Hi\u2028there"],
    ["a paragraph separator", "Hi\u2029there"],
  ])("refuses a subject that is %s", async (_, subject) => {
    const { status, body } = await send(ada, letter({ subject }));
    expect([status, body.issues]).toMatchObject([400, [{ path: "subject" }]]);
    expect(mail.mails).toEqual([]);
  });

  it("accepts a subject of 255 characters", async () => {
    const subject = "🐝".repeat(255);
    await send(await api.person(), letter({ subject })).ok();
    expect(mail.mails[0]?.subject).toBe(subject);
  });

  it.each([
    ["html", "text"],
    ["text", "html"],
  ])("refuses %s above 256 KB, counted in bytes", async (field, other) => {
    const person = await api.person();
    const full = "ä".repeat(128 * KB);
    for (const tooLarge of [`${full}a`, "a".repeat(300 * KB)]) {
      const { status, body } = await send(person, letter({ [field]: tooLarge }));
      expect([status, body.issues]).toMatchObject([400, [{ path: field }]]);
    }
    await send(person, letter({ [field]: full, [other]: full })).ok();
    expect(mail.mails).toHaveLength(1);
    const { status } = await send(person, letter({ [field]: "a".repeat(1024 * KB) }));
    expect(status).toBe(413);
  });

  it("refuses a mail without a body, and reports all problems at once", async () => {
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
