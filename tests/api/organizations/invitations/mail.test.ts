import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useMail } from "#tests/mail";
import { beforeEachTest } from "#tests/prepare";
import { mailsOf } from "../../mail/sending.ts";
import { invitationsOf, newAddress } from "./inviting.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, APP_URL: "https://app.nectar.test/" } });
const quiet = useApi();
const { found, invite, list, block } = invitationsOf(api);
const { rowsOf, suppress, send } = mailsOf(api);
const hive = beforeEachTest(found);

describe("the mail of an invitation", () => {
  it("names the inviter and the organization, has the url, and replies go to the inviter", async () => {
    const { owner, orgId } = hive;
    await api.put("/api/user/profile", owner, { full_name: "Ada\nLovelace" }).ok();
    const email = newAddress();
    const { url, email_status } = await invite(owner, orgId, { email });
    expect(email_status).toBe("sent");
    expect(url).toMatch(/^https:\/\/app\.nectar\.test\/invitations\/[\w-]{43}$/);
    expect(mail.mails).toMatchObject([
      { to: [email], replyTo: [owner.email], subject: "You are invited to an organization", html: null },
    ]);
    const text = mail.mails[0]?.text ?? "";
    for (const part of ["Ada Lovelace invites you", '"Hive"', url ?? ""]) expect.soft(text).toContain(part);
  });

  it("is not sent by a link", async () => {
    await invite(hive.owner, hive.orgId);
    expect(mail.mails).toEqual([]);
  });

  it("counts as a mail of the inviter, who can look it up, and its text is stored nowhere", async () => {
    const { owner, orgId } = hive;
    const email = newAddress();
    const { token } = await invite(owner, orgId, { email });
    const { messages } = await api.get("/api/email/messages", owner).ok();
    expect(messages).toMatchObject([{ to: email, subject: "You are invited to an organization", status: "sent" }]);
    expect(JSON.stringify(await rowsOf(owner))).not.toContain(token);
    expect(api.logged()).not.toContain(token);
    expect(api.logged()).not.toContain(email);
  });

  it("is not sent when the inviter has no mails left, and the invitation stands", async () => {
    const { owner, orgId } = hive;
    const email = newAddress();
    for (let n = 0; n < 5; n += 1) await send(owner, { to: email, subject: "Hi", text: "Hi" }).ok();
    mail.mails.length = 0;
    expect(await invite(owner, orgId, { email })).toMatchObject({ status: "pending", email_status: "not_sent" });
    expect(mail.mails).toEqual([]);
  });

  it("to an address that gets no mail, and to a person with a block, has the same status when no mails are left", async () => {
    const { owner, orgId } = hive;
    const [ada, bounced] = [await api.person(), newAddress()];
    await suppress(bounced);
    await block(ada, owner);
    for (const to of [ada.email, bounced]) {
      for (let n = 0; n < 5; n += 1) await send(owner, { to, subject: "Hi", text: "Hi" }).ok();
      expect.soft(await invite(owner, orgId, { email: to })).toMatchObject({ email_status: "suppressed" });
    }
    expect(mail.mails).toEqual([]);
  });

  it("is not sent for an inviter without a confirmed address", async () => {
    await api.query`update auth.users set email_confirmed_at = null where id = ${hive.owner.id}`;
    expect(await invite(hive.owner, hive.orgId, { email: newAddress() })).toMatchObject({ email_status: "not_sent" });
    expect(mail.mails).toEqual([]);
  });

  it.each(["fail", "hang"] as const)("does not undo the invitation if the provider does %s", async (mode) => {
    const { owner, orgId } = hive;
    mail.mode(mode);
    const { token, ...created } = await invite(owner, orgId, { email: newAddress() });
    expect(created).toMatchObject({ status: "pending", email_status: "not_sent" });
    expect(token).not.toBe("");
    expect(await rowsOf(owner)).toMatchObject([{ state: "failed" }]);
    expect(await list(owner, orgId)).toMatchObject([{ id: created.id, email_status: "not_sent" }]);
  });

  it("if the process dies while it is sent: the invitation stands, and a replay sends nothing", async () => {
    const { owner, orgId, path } = hive;
    const key = { "idempotency-key": randomUUID() };
    const body = { email: newAddress() };
    await api.post(path, owner, body, key).created();
    // As the first transaction left them: the mail was accepted, and the second transaction did not run.
    await api.query`update nectar.invitations set email_status = 'not_sent' where org_id = ${orgId}`;
    await api.query`update private.email_messages set state = 'pending', provider_id = null where user_id = ${owner.id}`;
    await api.query`update private.idempotency_keys
      set body = replace(body, '"sent"', '"not_sent"'), is_final = false, created_at = now() - interval '7 minutes'
      where user_id = ${owner.id} and key = ${key["idempotency-key"]}`;
    const { invitation } = await api.post(path, owner, body, key).created();
    expect(invitation).toMatchObject({ email_status: "not_sent", token: null, url: null });
    expect(await list(owner, orgId)).toMatchObject([
      { id: invitation.id, status: "pending", email_status: "not_sent" },
    ]);
    expect(mail.mails).toHaveLength(1);
  });

  it.each([
    ["the invited person", "the inviter"],
    ["the inviter", "the invited person"],
  ])("is suppressed if %s blocked %s, without a notification, and looks like any suppressed mail", async (blocker) => {
    const { owner, orgId } = hive;
    const ada = await api.person();
    await (blocker === "the inviter" ? block(owner, ada) : block(ada, owner));
    expect(await invite(owner, orgId, { email: ada.email })).toMatchObject({ email_status: "suppressed" });
    expect(mail.mails).toEqual([]);
    expect((await api.get("/api/email/messages", owner).ok()).messages).toMatchObject([{ status: "suppressed" }]);
    expect((await api.get("/api/notifications", ada).ok()).notifications).toEqual([]);
    expect((await api.get("/api/invitations", ada).ok()).invitations).toEqual([]);
  });
});

it("without a mail provider an invitation has no url and no mail, and can be accepted", async () => {
  const { owner, orgId } = await invitationsOf(quiet).found();
  const ada = await quiet.person();
  const created = await invitationsOf(quiet).invite(owner, orgId, { email: ada.email });
  expect(created).toMatchObject({ url: null, email_status: "not_sent" });
  await invitationsOf(quiet).accept(ada, { token: created.token }).created();
});
