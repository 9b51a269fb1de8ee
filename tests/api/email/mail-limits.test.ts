import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useMail } from "#tests/mail";
import { letter, mailsOf, someone } from "./sending.ts";

const mail = await useMail();
const api = useApi({ environment: mail.environment });

const { send, rowsOf } = mailsOf(api);

describe("the limits", () => {
  it("let 20 of 64 simultaneous mails through in an hour", async () => {
    const person = await api.person();
    const responses = await Promise.all(Array.from({ length: 64 }, () => send(person, letter())));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(responses.length - refused.length).toBe(20);
    expect(mail.mails).toHaveLength(20);
    expect(await rowsOf(person)).toHaveLength(20);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, "email.quota_exhausted"]);
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(3500);
      expect(seconds).toBeLessThanOrEqual(3600);
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
