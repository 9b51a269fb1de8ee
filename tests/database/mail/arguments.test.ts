import { beforeEach, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const person = beforeTests(() => acting.person());
beforeEach(() => acting.admin.query("update private.email_policy set recipient_policy = 'any'"));

const begin = (recipient = "'ben@example.test'", subject = "'Hi'") =>
  acting.outcome(
    { person: person.id },
    `select * from private.create_email_message(${recipient}, ${subject}, null, now())`,
  );

describe("a user's request, even with a mistake in a handler,", () => {
  it("writes only to recipients that the stored policy allows", async () => {
    await acting.query`update private.email_policy set recipient_policy = 'self'`;
    expect(await begin()).toBe("email.recipient_not_allowed");
    const [own] = (await acting.admin.query("select email from auth.users where id = $1", [person.id])).rows;
    expect(await begin(`'${own.email}'`)).toBe(1);
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

  it.each([
    ["repeat('a', 255)", "'Hi'", "23514"],
    ["''", "'Hi'", "23514"],
    ["null", "'Hi'", "23502"],
    ["'a@example.test'", "repeat('a', 256)", "23514"],
    ["'a@example.test'", "''", "23514"],
    ["'a@example.test'", "null", "23502"],
  ])("stores no mail to %s about %s", async (recipient, subject, error) => {
    expect(await begin(recipient, subject)).toBe(error);
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
