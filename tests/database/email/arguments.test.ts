import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const acting = useActing({ moments: "now" });
const person = beforeTests(() => acting.person());
beforeEach(() => acting.admin.query("update private.email_policy set recipient_policy = 'any'"));

const begin = (moment = "now()", recipient = `'${randomUUID()}@example.test'`, subject = "'Hi'") =>
  acting.outcome(
    { person: person.id },
    `select * from private.create_email_message(${recipient}, ${subject}, null, ${moment})`,
  );

describe("a user's request, even with a mistake in a handler,", () => {
  it("counts a mail at the present moment only", async () => {
    expect(await begin()).toBe(1);
    for (const moment of ["now() - interval '1 day'", "now() + interval '1 day'", "null", "'infinity'"]) {
      expect(await begin(moment), moment).toBe("service.unexpected");
    }
  });

  it("writes only to recipients that the stored policy allows, and cannot change the policy", async () => {
    await acting.query`update private.email_policy set recipient_policy = 'self'`;
    expect(await begin()).toBe("email.recipient_not_allowed");
    const [own] = (await acting.admin.query("select email from auth.users where id = $1", [person.id])).rows;
    expect(await begin("now()", `'${own.email}'`)).toBe(1);
    expect(
      await acting.outcome({ person: person.id }, "update private.email_policy set recipient_policy = 'any'"),
    ).toBe("42501");
    expect(await acting.outcome({ person: person.id }, "insert into private.email_policy values (true, 'any')")).toBe(
      "42501",
    );
  });

  it("cannot send an uncounted mail to another recipient with the key of an unfinished one", async () => {
    const beginAs = (recipient: string) =>
      acting.run(
        { person: person.id },
        "select * from private.create_email_message($1, 'Hi', 'one request', now())",
        [recipient],
        "keep",
      );
    const first = (await beginAs("first@example.test")).rows[0];
    expect((await beginAs("First@example.test")).rows[0].message_id).toBe(first.message_id);
    await expect(beginAs("second@example.test")).rejects.toMatchObject({ code: "23505" });
  });

  it("stores no recipient or subject that is too long or missing", async () => {
    for (const [recipient, subject] of [
      ["repeat('a', 255)", "'Hi'"],
      ["''", "'Hi'"],
      ["'a@example.test'", "repeat('a', 256)"],
      ["'a@example.test'", "''"],
    ]) {
      expect(await begin("now()", recipient, subject)).toBe("23514");
    }
    for (const [recipient, subject] of [
      ["null", "'Hi'"],
      ["'a@example.test'", "null"],
    ]) {
      expect(await begin("now()", recipient, subject)).toBe("23502");
    }
  });
});

it("there is one row of policy, with a known name", async () => {
  const fails = async (statement: string) =>
    acting.admin.query(statement).then(
      () => "done",
      ({ code }) => code,
    );
  expect(await fails("insert into private.email_policy values (false, 'any')")).toBe("23514");
  expect(await fails("insert into private.email_policy values (true, 'any')")).toBe("23505");
  expect(await fails("update private.email_policy set recipient_policy = 'everyone'")).toBe("23514");
});
