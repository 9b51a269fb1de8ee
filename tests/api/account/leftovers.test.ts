import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { close, runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment } = await useErasureVendors();
const api = useApi({ environment: { ...environment, PUBLIC_URL: "http://127.0.0.1:9" } });

async function erase(person: Person): Promise<void> {
  await close(api, person);
  expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1 });
}

describe("the address of an erased person", () => {
  const mailTo = (to: Person, from: Person) =>
    api.one<{ id: string }>`
      insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
      values (${from.id}, ${to.email}, 'Hello', 'sent', now(), now()) returning id`;

  it("is `erased` in the mails that others sent to it", async () => {
    const [person, writer] = [await api.person(), await api.person()];
    const { id } = await mailTo(person, writer);
    await erase(person);
    const { message } = await api.get(`/api/email/messages/${id}`, writer).ok();
    expect(message).toMatchObject({ to: "erased", subject: "Hello", status: "sent" });
  });

  it("gets no more mail if one that was sent before bounces afterwards", async () => {
    const [person, writer] = [await api.person(), await api.person()];
    const { id } = await mailTo(person, writer);
    await erase(person);
    const event = { id: `evt_${id}`, is_verified: true, type: "email.bounced", happened_at: new Date() };
    const bounced = { ...event, message_id: id, delivery: "bounced", suppresses: true };
    await api.query`select private.record_email_event(${JSON.stringify(bounced)})`;
    const suppression = await api.one`
      select reason from private.email_suppressions
      where address_hash = private.email_address_hash(${person.email})`;
    expect(suppression).toEqual({ reason: "bounced" });
  });

  it("stays in mails to others if the account never confirmed it", async () => {
    const [person, writer] = [await api.person({ confirmed: false }), await api.person()];
    const { id } = await mailTo(person, writer);
    await erase(person);
    expect((await api.get(`/api/email/messages/${id}`, writer).ok()).message.to).toBe(person.email);
  });
});

describe("a tone pack of an erased person", () => {
  const NAME = "Grandmother's garden";

  /** A public pack with an image. */
  async function publish(owner: Person) {
    const draft = { name: NAME, description: "As she drew it", theme: "nature", is_public: true, price_drops: 5 };
    const { tone_pack: pack } = await api.post("/api/tone-packs", owner, draft).created();
    await api.query`insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
      values (${pack.id}, ${owner.id}, 'calm', ${`${owner.id}/${pack.id}/calm.png`})`;
    return pack;
  }
  const buy = (pack: { readonly id: string }, buyer: Person, key: string) =>
    api.post(`/api/tone-packs/${pack.id}/purchase`, buyer, {}, { "idempotency-key": key });
  const textsOf = async () =>
    JSON.stringify(
      await api.query`
        select t::text from nectar.tone_packs t union all select t::text from nectar.drop_transactions t
        union all select t::text from private.idempotency_keys t`,
    );

  it("stays for those who bought it alone, with its images and without a text of its owner", async () => {
    const [owner, buyer, other] = [await api.person(), await api.person(), await api.person()];
    const pack = await publish(owner);
    await buy(pack, buyer, "once").created();
    expect((await api.get("/api/user/account/erasure", owner).ok()).preview).toMatchObject({
      tone_packs_with_buyers: 1,
      kept: expect.arrayContaining([expect.stringContaining("Tone packs")]),
    });
    await erase(owner);
    const { purchased } = await api.get("/api/tone-packs", buyer).ok();
    expect(purchased).toMatchObject([{ id: pack.id, name: "Nature", description: null, is_public: false }]);
    expect(purchased[0]?.images).toHaveLength(1);
    expect(await textsOf()).not.toContain(NAME);
    await api.get(`/api/tone-packs/${pack.id}`, other).refused(404);
    await buy(pack, other, "late").refused(404, "tone_pack.not_found");
    const { transactions } = await api.get("/api/drops/transactions", buyer).ok();
    expect(transactions[0]).toMatchObject({ description: "Tone pack", amount: -5 });
  });

  it("loses its images when the last purchase is refunded", async () => {
    const [owner, buyer, admin] = [await api.person(), await api.person(), await api.person({ role: "super_admin" })];
    const pack = await publish(owner);
    const { transaction } = await buy(pack, buyer, "once").created();
    await erase(owner);
    await api.post("/api/admin/drops/refund", admin, { transaction_id: transaction.id }).ok();
    expect(await api.query`select from nectar.tone_pack_images where pack_id = ${pack.id}`).toEqual([]);
    const path = `${owner.id}/${pack.id}/calm.png`;
    expect(await api.query`select from private.stored_files_to_remove where path = ${path}`).toHaveLength(1);
  });

  it("is deleted if it was never bought", async () => {
    const owner = await api.person();
    const pack = await publish(owner);
    await erase(owner);
    expect(await api.query`select from nectar.tone_packs where id = ${pack.id}`).toEqual([]);
  });
});

it("the name of an erased person is in no notification of others", async () => {
  const [person, other] = [await api.person({ fullName: "Zelda Quill" }), await api.person({ fullName: "Ada Bee" })];
  const recipient = await api.person();
  for (const sender of [person, other]) {
    const drop = { recipient_id: recipient.id, content: "Go on." };
    await api.post("/api/encouragement-drops/send", sender, drop).created();
  }
  await api.query`insert into nectar.notifications (user_id, type, data, caused_by)
    select ${recipient.id}, t, '{"full_name": "Zelda Quill", "chips": 12}', ${person.id}
    from unnest('{baton_pass,battle_update}'::nectar.notification_type[]) t`;
  await erase(person);
  const { notifications } = await api.get("/api/notifications", recipient).ok();
  expect(notifications.map(({ body }) => body).toSorted()).toEqual([
    "Ada Bee sent you a drop.",
    "Someone brought 12 for your team.",
    "Someone has checked in. You are next.",
    "Someone sent you a drop.",
  ]);
  expect(JSON.stringify(notifications)).not.toContain("Zelda");
});

it("the ledger adds up after people were erased", async () => {
  const person = await api.person();
  await erase(person);
  const { off } = await api.one<{ off: string }>`
      select (
        (select coalesce(sum(amount), 0) from nectar.drop_transactions) - (select sum(drops_balance) from nectar.accounts)
      )::text as off`;
  expect(off).toBe("0");
  const { totals } = await api.one<{ totals: boolean }>`
      select issued + refunded + adjusted - spent = balance and issued >= 50 as totals from private.erased_totals`;
  expect(totals).toBe(true);
});
