import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { activePackOf, makePack, packCalls } from "./making.ts";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const { activate, share } = packCalls(api);

describe("sharing a pack", () => {
  it("shows the pack to the user with an id or an address in any case, and may be repeated", async () => {
    for (const recipient of [{ email: ben.email.toUpperCase() }, { user_id: ben.id }]) {
      const pack = await makePack(api, ada);
      await api.get(`/api/tone-packs/${pack.id}`, ben).refused(404, "tone_pack.not_found");
      const first = await share(pack.id, ada, recipient).ok();
      expect(first.share.pack_id).toBe(pack.id);
      expect(await share(pack.id, ada, recipient).ok()).toEqual(first);
      expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).body.tone_pack).toEqual({ ...pack, access: "shared" });
      const { body } = await api.get("/api/tone-packs", ben);
      expect(body.shared.filter(({ id }) => id === pack.id)).toHaveLength(1);
    }
  });

  it("by address never reveals which user has the address", async () => {
    const pack = await makePack(api, ada);
    const { share: byAddress } = (await share(pack.id, ada, { email: ben.email })).body;
    expect(byAddress).toMatchObject({ pack_id: pack.id, user_id: null });
    // Sharing again with a guessed id does not say whether the guess was right, and neither does the list.
    const { share: byId } = (await share(pack.id, ada, { user_id: ben.id })).body;
    expect(byId).toMatchObject({ user_id: ben.id });
    expect(byId.id).not.toBe(byAddress.id);
    const { shares } = await api.get(`/api/tone-packs/${pack.id}/shares`, ada).ok();
    expect(shares).toEqual([
      { id: byId.id, email: null, user: expect.objectContaining({ id: ben.id }), created_at: byId.created_at },
      { id: byAddress.id, email: ben.email, user: null, created_at: byAddress.created_at },
    ]);
    await api.delete(`/api/tone-packs/${pack.id}/share/${byId.id}`, ada).ok();
    await api.get(`/api/tone-packs/${pack.id}`, ben).ok();
    await api.delete(`/api/tone-packs/${pack.id}/share/${byAddress.id}`, ben).refused(403, "tone_pack.not_yours");
    await api.delete(`/api/tone-packs/${pack.id}/share/${byAddress.id}`, ada).ok();
    await api.get(`/api/tone-packs/${pack.id}`, ben).refused(404);
  });

  it.each([
    ["id", () => [{ user_id: ben.id }]],
    ["address", () => [{ email: ben.email.toUpperCase() }]],
    ["both", () => [{ user_id: ben.id }, { email: ben.email }]],
  ])("by %s is ended by the owner with the id of the user", async (_, shares) => {
    const pack = await makePack(api, ada);
    const end = () => api.delete(`/api/tone-packs/${pack.id}/share/${ben.id}`, ada);
    for (const one of shares()) await share(pack.id, ada, one).ok();
    await end().ok();
    await api.get(`/api/tone-packs/${pack.id}`, ben).refused(404);
    expect((await api.get(`/api/tone-packs/${pack.id}/shares`, ada).ok()).shares).toEqual([]);
    await end().refused(404, "tone_pack.share_not_found");
  });

  it("is listed for the owner only", async () => {
    const pack = await makePack(api, ada);
    await api.get(`/api/tone-packs/${pack.id}/shares`, ben).refused(404, "tone_pack.not_found");
    await share(pack.id, ada, { user_id: ben.id }).ok();
    await api.get(`/api/tone-packs/${pack.id}/shares`, ben).refused(403, "tone_pack.not_yours");
  });

  it("is ended by the recipient for both a share by address and one by id", async () => {
    const pack = await makePack(api, ada);
    await share(pack.id, ada, { email: ben.email });
    await share(pack.id, ada, { user_id: ben.id });
    await activate(pack.id, ben);
    await api.delete(`/api/tone-packs/${pack.id}/share/${ben.id}`, ben).ok();
    await api.get(`/api/tone-packs/${pack.id}`, ben).refused(404);
    expect(await activePackOf(api, ben)).toBeNull();
  });

  it("by address has a quota of 30 a day, which unknown addresses and replays of failures count against", async () => {
    const sharer = await api.person();
    const pack = await makePack(api, sharer);
    await leaveQuota(api.adminUrl, sharer, "tone_pack_share", 4);
    const statuses = [];
    for (const email of [ben.email, "unknown@example.test", "unknown@example.test", ben.email, ben.email]) {
      statuses.push((await share(pack.id, sharer, { email }, { "idempotency-key": `attempt for ${email}` })).status);
    }
    // The fourth is a replay of the first.
    expect(statuses).toEqual([200, 404, 404, 200, 200]);
    await share(pack.id, sharer, { email: ben.email }).ok();
    const refused = await share(pack.id, sharer, { email: ben.email });
    expect([refused.status, refused.body.code]).toEqual([429, "quota.exhausted"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await share(pack.id, sharer, { user_id: ben.id }).ok();
  });

  it("by id stores its response in the transaction that shares the pack", async () => {
    const pack = await makePack(api, ada);
    const headers = { "idempotency-key": "one transaction" };
    const sharing = await api.inTransaction(async ({ query }) => {
      await query`select from nectar.tone_packs where id = ${pack.id} for update`;
      const sharing = share(pack.id, ada, { user_id: ben.id }, headers);
      await api.untilWaiting();
      expect(await api.query`select from private.idempotency_keys where user_id = ${ada.id}`).toEqual([]);
      await query`commit`;
      return sharing;
    });
    const replay = await share(pack.id, ada, { user_id: ben.id }, headers);
    expect([replay.body, replay.headers.get("idempotent-replayed")]).toEqual([sharing.body, "true"]);
  });

  it("is refused for the owner as recipient, for unknown users, for invalid bodies, and for packs of other users", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ada.id }).refused(400, "tone_pack.self_share");
    await share(pack.id, ada, { email: ada.email }).refused(400, "tone_pack.self_share");
    await share(pack.id, ada, { user_id: randomUUID() }).refused(404, "user.not_found");
    await share(pack.id, ada, { email: "unknown@example.test" }).refused(404, "user.not_found");
    for (const body of [{}, { email: ben.email, user_id: ben.id }]) {
      await share(pack.id, ada, body).refused(400);
    }
    await share(pack.id, ben, { user_id: ben.id }).refused(403, "tone_pack.not_yours");
  });

  it("is ended only by the owner or the recipient, and only once", async () => {
    const stranger = await api.person();
    const pack = await makePack(api, ada);
    const path = `/api/tone-packs/${pack.id}/share/${ben.id}`;
    for (const ender of [ada, ben]) {
      await share(pack.id, ada, { user_id: ben.id });
      await api.delete(path, stranger).refused(404, "tone_pack.not_found");
      await api.delete(path, ender).ok();
      await api.get(`/api/tone-packs/${pack.id}`, ben).refused(404);
      await api.delete(path, ada).refused(404, "tone_pack.share_not_found");
    }
    await api.put(`/api/tone-packs/${pack.id}`, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ben.id });
    await api.delete(path, stranger).refused(403, "tone_pack.not_yours");
  });
});
