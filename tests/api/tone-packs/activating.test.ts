import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { activePackOf, makePack, packCalls } from "./making.ts";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const { activate, share } = packCalls(api);

describe("activating a pack", () => {
  it("makes it the active pack in the profile, the pack and /active, if the user may use it", async () => {
    const pack = await makePack(api, ada);
    const body = await activate(pack.id, ada).ok();
    expect(body.active_tone_pack_id).toBe(pack.id);
    expect(await activePackOf(api, ada)).toBe(pack.id);
    const active = { tone_pack: { ...pack, is_active: true }, images: {}, image_url: null };
    expect(await api.get("/api/tone-packs/active?mood=joyful", ada).ok()).toEqual(active);
    await activate(pack.id, ben).refused(404, "tone_pack.not_found");
  });

  it("is 402 for a public pack with a price until it is bought or shared", async () => {
    const pack = await makePack(api, ada, { is_public: true, price_drops: 3 });
    const reader = await api.person();
    await activate(pack.id, reader).refused(402, "tone_pack.not_purchased");
    await share(pack.id, ada, { user_id: reader.id });
    await activate(pack.id, reader).ok();
    await api.delete(`/api/tone-packs/${pack.id}/share/${reader.id}`, ada);
    expect(await activePackOf(api, reader)).toBeNull();
  });

  it("is undone by null in the profile; the active pack changes nothing and another one is refused", async () => {
    const reader = await api.person();
    const pack = await makePack(api, reader);
    const other = await makePack(api, reader);
    await activate(pack.id, reader);
    const put = (preferences: object) => api.put("/api/user/profile", reader, { preferences }).ok();
    await api
      .put("/api/user/profile", reader, { preferences: { theme: "light", active_tone_pack_id: other.id } })
      .invalid("preferences.active_tone_pack_id");
    await put({ theme: "dark", active_tone_pack_id: pack.id.toUpperCase() });
    expect(await activePackOf(api, reader)).toBe(pack.id);
    const { profile } = await put({ active_tone_pack_id: null });
    expect(profile.preferences).toEqual({ theme: "dark", active_tone_pack_id: null });
    const none = { tone_pack: null, images: {}, image_url: null };
    expect(await api.get("/api/tone-packs/active", reader).ok()).toEqual(none);
  });

  it("ends for users whose only access was that the pack was public", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    const [free, receiver, buyer] = [await api.person(), await api.person(), await api.person()];
    await share(pack.id, ada, { user_id: receiver.id });
    await api.post(`/api/tone-packs/${pack.id}/purchase`, buyer);
    for (const person of [ada, free, receiver, buyer]) expect((await activate(pack.id, person)).status).toBe(200);
    await api.put(`/api/tone-packs/${pack.id}`, ada, { is_public: false });
    expect(await activePackOf(api, free)).toBeNull();
    for (const person of [ada, receiver, buyer]) expect(await activePackOf(api, person)).toBe(pack.id);
    await api.delete(`/api/tone-packs/${pack.id}`, ada);
    for (const person of [ada, receiver]) expect(await activePackOf(api, person)).toBeNull();
    expect(await activePackOf(api, buyer)).toBe(pack.id);
    expect((await api.get(`/api/tone-packs/${pack.id}`, buyer)).body.tone_pack.access).toBe("purchased");
  });
});

describe("activating a pack while it is taken away", () => {
  it.each([
    ["unshared", {}, (id: string, reader: Person) => api.delete(`/api/tone-packs/${id}/share/${reader.id}`, ada)],
    ["given back", {}, (id: string, reader: Person) => api.delete(`/api/tone-packs/${id}/share/${reader.id}`, reader)],
    ["deleted", { is_public: true }, (id: string) => api.delete(`/api/tone-packs/${id}`, ada)],
    ["unpublished", { is_public: true }, (id: string) => api.put(`/api/tone-packs/${id}`, ada, { is_public: false })],
  ] as const)("leaves it active for no user: %s", async (_, fields, takeAway) => {
    const readers = await Promise.all(Array.from({ length: 4 }, () => api.person()));
    for (let round = 0; round < 20; round += 1) {
      const pack = await makePack(api, ada, fields);
      if (!pack.is_public) for (const reader of readers) await share(pack.id, ada, { user_id: reader.id });
      const takings = pack.is_public ? [takeAway(pack.id, ada)] : readers.map((reader) => takeAway(pack.id, reader));
      const [taken, activated] = await Promise.all([
        Promise.all(takings),
        Promise.all(readers.map((reader) => activate(pack.id, reader))),
      ]);
      expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([200]));
      for (const { status } of activated) expect([200, 404]).toContain(status);
      for (const reader of readers) expect(await activePackOf(api, reader)).toBeNull();
    }
  });
});
