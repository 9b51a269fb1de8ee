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
    expect(pack).toEqual({
      id: expect.any(String),
      owner_id: ada.id,
      name: "Cranes",
      description: null,
      theme: "origami",
      is_public: false,
      price_drops: 0,
      images: [],
      access: "owner",
      is_active: false,
      moderation: null,
      created_at: expect.any(String),
      updated_at: pack.created_at,
    });
    expect((await api.get(`/api/tone-packs/${pack.id}`, ada)).body.tone_pack).toEqual(pack);
  });

  it.each([
    ["no name", { name: undefined }],
    ["a blank name", { name: "  " }],
    ["a name of 101", { name: "x".repeat(101) }],
    ["a description of 1,001", { description: "x".repeat(1001) }],
    ["no theme", { theme: undefined }],
    ["an unknown theme", { theme: "baroque" }],
    ["a price below zero", { price_drops: -1 }],
    ["a price above 100,000", { price_drops: 100_001 }],
    ["a price that is no whole number", { price_drops: 1.5 }],
  ])("refuses %s", async (_, fields) => {
    await api.post("/api/tone-packs", ada, { name: "P", theme: "icons", ...fields }).refused(400, "request.invalid");
  });
});

describe("updating and deleting a pack", () => {
  it("updates only the fields in the body", async () => {
    const pack = await makePack(api, ada, { description: "Old" });
    const body = await api.put(`/api/tone-packs/${pack.id}`, ada, { name: "New", price_drops: 5 }).ok();
    expect(body.tone_pack).toEqual({ ...pack, name: "New", price_drops: 5, updated_at: expect.any(String) });
    expect((await api.put(`/api/tone-packs/${pack.id}`, ada, { description: null })).body.tone_pack.description).toBe(
      null,
    );
    await api.put(`/api/tone-packs/${pack.id}`, ada, {}).refused(400);
    await api.put(`/api/tone-packs/${pack.id}`, ada, { theme: "x" }).refused(400);
  });

  it("is 404 for a hidden pack and 403 for a visible pack of another user, and changes nothing", async () => {
    const hidden = await makePack(api, ada);
    const visible = await makePack(api, ada, { is_public: true });
    for (const [pack, status, code] of [
      [hidden, 404, "tone_pack.not_found"],
      [visible, 403, "tone_pack.not_yours"],
    ] as const) {
      const path = `/api/tone-packs/${pack.id}` as const;
      for (const response of [await api.put(path, ben, { name: "Mine" }), await api.delete(path, ben)]) {
        expect([response.status, response.body.code]).toEqual([status, code]);
      }
      expect((await api.get(path, ada)).body.tone_pack).toEqual(pack);
    }
  });

  it("deletes the pack for everyone who did not buy it", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ben.id });
    expect(await api.delete(`/api/tone-packs/${pack.id}`, ada)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    for (const person of [ada, ben, await api.person()]) {
      await api.get(`/api/tone-packs/${pack.id}`, person).refused(404);
    }
    for (const response of [
      await api.delete(`/api/tone-packs/${pack.id}`, ada),
      await api.put(`/api/tone-packs/${pack.id}`, ada, { name: "Back" }),
      await share(pack.id, ada, { user_id: ben.id }),
      await activate(pack.id, ada),
    ]) {
      expect(response.body.code).toBe("tone_pack.not_found");
    }
  });
});

describe("GET /api/tone-packs", () => {
  const SECTIONS = ["own", "purchased", "shared", "public"] as const;

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
    const ids = (section: (typeof SECTIONS)[number]) => body[section].map((pack) => pack.id);
    expect(ids("own")).toEqual([own.id]);
    expect(ids("purchased")).toEqual([bought.id]);
    expect(ids("shared")).toEqual([shared.id]);
    expect(ids("public")[0]).toBe(published.id);
    for (const id of [own.id, bought.id, shared.id, hidden.id]) expect(ids("public")).not.toContain(id);
    for (const section of SECTIONS) {
      const access = section === "own" ? "owner" : section;
      for (const pack of body[section]) expect(pack.access).toBe(access);
    }
  });

  it("has the other sections only on the first page, and the public section on all pages", async () => {
    const seller = await api.person();
    const reader = await api.person();
    const own = await makePack(api, reader);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.unshift((await makePack(api, seller, { is_public: true })).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    while (seen.length < 5) {
      const after: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await api.get(`/api/tone-packs?limit=2${after}`, reader);
      seen.push(...body.public.map((pack) => pack.id));
      expect(body.own.map((pack) => pack.id)).toEqual(pages === 0 ? [own.id] : []);
      cursor = body.next_cursor;
      pages += 1;
    }
    expect(seen.slice(0, 5)).toEqual(made);
    await api.get("/api/tone-packs?limit=0", reader).refused(400);
    await api.get("/api/tone-packs?cursor=x", reader).refused(400);
  });
});

describe("without a model", () => {
  it("generating images is 503", async () => {
    const pack = await makePack(api, ada);
    await api
      .post(`/api/tone-packs/${pack.id}/generate-images`, ada, { tones: ["sad"] })
      .refused(503, "provider.not_configured");
  });
});
