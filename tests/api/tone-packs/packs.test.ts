import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { makePack, packCalls } from "./making.ts";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const { activate, share } = packCalls(api);

describe("POST /api/tone-packs", () => {
  it("creates a pack that is private and free by default", async () => {
    const pack = await makePack(api, ada, { name: " Cranes ", description: "" });
    const texts = { owner_id: ada.id, name: "Cranes", description: null, theme: "origami", images: [] };
    expect(pack).toMatchObject({ ...texts, is_public: false, price_drops: 0, access: "owner", is_active: false });
    expect((await api.get(`/api/tone-packs/${pack.id}`, ada)).body.tone_pack).toEqual(pack);
  });
});

describe("updating and deleting a pack", () => {
  it("updates only the fields in the body", async () => {
    const pack = await makePack(api, ada, { description: "Old" });
    const body = await api.put(`/api/tone-packs/${pack.id}`, ada, { name: "New", price_drops: 5 }).ok();
    expect(body.tone_pack).toEqual({ ...pack, name: "New", price_drops: 5, updated_at: expect.any(String) });
    const cleared = await api.put(`/api/tone-packs/${pack.id}`, ada, { description: null }).ok();
    expect(cleared.tone_pack.description).toBeNull();
  });

  it("is 404 for a hidden pack and 403 for a visible pack of another user, and changes nothing", async () => {
    for (const is_public of [false, true]) {
      const pack = await makePack(api, ada, { is_public });
      const path = `/api/tone-packs/${pack.id}` as const;
      const [status, code] = is_public
        ? ([403, "tone_pack.not_yours"] as const)
        : ([404, "tone_pack.not_found"] as const);
      await api.put(path, ben, { name: "Mine" }).refused(status, code);
      await api.delete(path, ben).refused(status, code);
      expect((await api.get(path, ada).ok()).tone_pack).toEqual(pack);
    }
  });

  it("deletes the pack for everyone who did not buy it", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ben.id });
    const path = `/api/tone-packs/${pack.id}` as const;
    await api.delete(path, ada).ok();
    for (const person of [ada, ben, await api.person()]) await api.get(path, person).refused(404);
    await api.delete(path, ada).refused(404, "tone_pack.not_found");
    await api.put(path, ada, { name: "Back" }).refused(404, "tone_pack.not_found");
    await share(pack.id, ada, { user_id: ben.id }).refused(404, "tone_pack.not_found");
    await activate(pack.id, ada).refused(404, "tone_pack.not_found");
  });
});

describe("GET /api/tone-packs", () => {
  it("lists each pack once: own, else purchased, else shared, else public", async () => {
    const reader = await api.person();
    const own = await makePack(api, reader, { is_public: true });
    const bought = await makePack(api, ada, { is_public: true, price_drops: 1 });
    await share(bought.id, ada, { user_id: reader.id });
    await api.post(`/api/tone-packs/${bought.id}/purchase`, reader);
    const shared = await makePack(api, ada, { is_public: true });
    await share(shared.id, ada, { user_id: reader.id });
    const published = await makePack(api, ada, { is_public: true });
    const hidden = await makePack(api, ada);

    const body = await api.get("/api/tone-packs", reader).ok();
    expect([body.own, body.purchased, body.shared]).toMatchObject([
      [{ id: own.id, access: "owner" }],
      [{ id: bought.id, access: "purchased" }],
      [{ id: shared.id, access: "shared" }],
    ]);
    expect(body.public[0]?.id).toBe(published.id);
    expect(new Set(body.public.map(({ access }) => access))).toEqual(new Set(["public"]));
    const ids = body.public.map(({ id }) => id);
    for (const { id } of [own, bought, shared, hidden]) expect(ids).not.toContain(id);
  });

  it("has the other sections only on the first page, and the public section on all pages", async () => {
    const [seller, reader] = [await api.person(), await api.person()];
    const own = await makePack(api, reader);
    const made: string[] = [];
    for (let index = 0; index < 4; index += 1) made.unshift((await makePack(api, seller, { is_public: true })).id);
    const first = await api.get("/api/tone-packs?limit=2", reader).ok();
    const second = await api.get(`/api/tone-packs?limit=2&cursor=${first.next_cursor}`, reader).ok();
    expect([...first.public, ...second.public].map(({ id }) => id)).toEqual(made);
    expect([first.own.map(({ id }) => id), second.own]).toEqual([[own.id], []]);
  });
});

it("generating images is 503 without a model", async () => {
  const path = `/api/tone-packs/${(await makePack(api, ada)).id}/generate-images`;
  await api.post(path, ada, { tones: ["sad"] }).refused(503, "provider.not_configured");
});
