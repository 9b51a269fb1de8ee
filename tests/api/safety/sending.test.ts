import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useMail } from "#tests/mail";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { ROOM, sendTo } from "../encouragement-drops/sending.ts";
import { letter, mailsOf } from "../mail/sending.ts";
import { makePack, packCalls } from "../tone-packs/making.ts";

const mail = await useMail();
const api = useApi({ environment: mail.environment });
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());
const { share } = packCalls(api);
const { send, suppress } = mailsOf(api);

const block = (as = ada, other = ben) => api.post("/api/blocks", as, { user_id: other.id }).created();

/** A response without what differs in every response. */
async function refusal(response: Promise<{ status: number; body: object }>) {
  const { status, body } = await response;
  return { status, body };
}

describe("between two people with a block by one of them", () => {
  beforeEach(() => block());

  it("a drop is refused exactly as one to someone who does not exist", async () => {
    const toNoOne = await refusal(sendTo(api, ada, { ...ben, id: randomUUID() }));
    expect(toNoOne).toMatchObject({ status: 404, body: { code: "user.not_found" } });
    expect(await refusal(sendTo(api, ada, ben))).toEqual(toNoOne);
    expect(await refusal(sendTo(api, ben, ada))).toEqual(toNoOne);
    const template_id = randomUUID();
    expect(await refusal(sendTo(api, ben, ada, { template_id }))).toEqual(
      await refusal(sendTo(api, ben, { ...ada, id: randomUUID() }, { template_id })),
    );
    expect(await api.get(`${ROOM}/my-drops`, ben).ok()).toMatchObject({ drops_used: 0 });
  });

  it("sharing a tone pack, by id or by address, is refused exactly as with someone who does not exist", async () => {
    for (const owner of [ada, ben]) {
      const other = owner === ada ? ben : ada;
      const { id } = await makePack(api, owner);
      const withNoOne = await refusal(share(id, owner, { user_id: randomUUID() }));
      expect(withNoOne).toMatchObject({ status: 404, body: { code: "user.not_found" } });
      expect(await refusal(share(id, owner, { email: "no-one@example.test" }))).toEqual(withNoOne);
      expect(await refusal(share(id, owner, { user_id: other.id }))).toEqual(withNoOne);
      expect(await refusal(share(id, owner, { email: other.email }))).toEqual(withNoOne);
    }
  });

  it("all of it is possible again without the block", async () => {
    await api.delete(`/api/blocks/${ben.id}`, ada).ok();
    await sendTo(api, ada, ben).created();
    await sendTo(api, ben, ada).created();
    await share((await makePack(api, ben)).id, ben, { email: ada.email }).ok();
  });
});

it("no drop arrives after the response to a block, however many are being sent", async () => {
  const counted = async (recipient: Person) =>
    (await api.query`select from nectar.encouragement_drops where recipient_id = ${recipient.id}`).length;
  for (let round = 0; round < 10; round += 1) {
    const [sender, recipient] = [await api.person(), await api.person()];
    const drops = Array.from({ length: 5 }, () => sendTo(api, sender, recipient));
    await block(recipient, sender);
    const atResponse = await counted(recipient);
    const statuses = (await Promise.all(drops)).map(({ status }) => status);
    expect(await counted(recipient)).toBe(atResponse);
    expect(statuses.filter((status) => status === 201)).toHaveLength(atResponse);
    expect(statuses.filter((status) => status === 404)).toHaveLength(5 - atResponse);
  }
});

describe("what was received before a block", () => {
  it("stays: drops, tone packs and their notifications", async () => {
    const { drop } = await sendTo(api, ben, ada).created();
    const pack = await makePack(api, ben);
    await share(pack.id, ben, { user_id: ada.id }).ok();
    await block();
    expect((await api.get(`${ROOM}/received`, ada).ok()).drops.map(({ id }) => id)).toEqual([drop.id]);
    expect((await api.get(`${ROOM}/sent`, ben).ok()).drops.map(({ id }) => id)).toEqual([drop.id]);
    expect((await api.get("/api/tone-packs", ada).ok()).shared.map(({ id }) => id)).toEqual([pack.id]);
    expect((await api.get("/api/notifications", ada).ok()).notifications).toMatchObject([{ type: "drop_received" }]);
    // The owner cannot share the pack again, and can end the share.
    await share(pack.id, ben, { user_id: ada.id }).refused(404, "user.not_found");
    await api.delete(`/api/tone-packs/${pack.id}/share/${ada.id}`, ben).ok();
  });
});

describe("mail to the address of someone who blocked the sender", () => {
  it("is suppressed exactly as mail to an address that bounced", async () => {
    await block();
    const bounced = await api.person();
    await suppress(bounced.email);
    for (const to of [ada.email.toUpperCase(), bounced.email]) {
      expect(await send(ben, letter({ to })).ok()).toMatchObject({ success: true, status: "suppressed" });
    }
    const { messages } = await api.get("/api/email/messages", ben).ok();
    const alike = messages.map(({ id, to, created_at, updated_at, ...rest }) => rest);
    expect(alike).toEqual([alike[0], alike[0]]);
    expect(mail.mails).toEqual([]);
  });

  it("counts like mail that is sent", async () => {
    await block();
    const quotas: (string | null)[] = [];
    for (const to of [ada.email, (await api.person()).email]) {
      for (let n = 0; n < 5; n += 1) await send(ben, letter({ to })).ok();
      const { status, headers } = await send(ben, letter({ to }));
      expect(status).toBe(429);
      quotas.push(headers.get("retry-after"));
    }
    expect(quotas.map((seconds) => Number(seconds) > 86_000)).toEqual([true, true]);
  });

  it("is sent from the one who blocked, and again after unblocking", async () => {
    await block();
    expect(await send(ada, letter({ to: ben.email })).ok()).toMatchObject({ status: "sent" });
    await api.delete(`/api/blocks/${ben.id}`, ada).ok();
    expect(await send(ben, letter({ to: ada.email })).ok()).toMatchObject({ status: "sent" });
  });

  it("is sent if the account that blocked never confirmed the address", async () => {
    await block();
    await api.query`update auth.users set email_confirmed_at = null where id = ${ada.id}`;
    expect(await send(ben, letter({ to: ada.email })).ok()).toMatchObject({ status: "sent" });
  });
});
