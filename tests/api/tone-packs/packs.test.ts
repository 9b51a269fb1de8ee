import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { asSuperuser, type Person } from "../../support/people.ts";
import { activePackOf, makePack } from "./making.ts";

const api = useApi();
let ada: Person;
let ben: Person;
beforeAll(async () => {
  ada = await api.person();
  ben = await api.person();
});

const share = (packId: string, owner: Person, body: object) => api.post(`/api/tone-packs/${packId}/share`, owner, body);
const activate = (packId: string, person: Person) => api.post(`/api/tone-packs/${packId}/activate`, person);

describe("POST /api/tone-packs", () => {
  it("creates a private, free pack and answers with it", async () => {
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
    const { status, body } = await api.post("/api/tone-packs", ada, { name: "P", theme: "icons", ...fields });
    expect([status, body.code]).toEqual([400, "request.invalid"]);
  });
});

describe("PUT and DELETE /api/tone-packs/:id", () => {
  it("change what is named and nothing else", async () => {
    const pack = await makePack(api, ada, { description: "Old" });
    const { status, body } = await api.put(`/api/tone-packs/${pack.id}`, ada, { name: "New", price_drops: 5 });
    expect(status).toBe(200);
    expect(body.tone_pack).toEqual({ ...pack, name: "New", price_drops: 5, updated_at: expect.any(String) });
    expect((await api.put(`/api/tone-packs/${pack.id}`, ada, { description: null })).body.tone_pack.description).toBe(
      null,
    );
    expect((await api.put(`/api/tone-packs/${pack.id}`, ada, {})).status).toBe(400);
    expect((await api.put(`/api/tone-packs/${pack.id}`, ada, { theme: "x" })).status).toBe(400);
  });

  it("are 404 on what is hidden and 403 on what is visible, and change nothing", async () => {
    const hidden = await makePack(api, ada);
    const visible = await makePack(api, ada, { is_public: true });
    for (const [pack, status, code] of [
      [hidden, 404, "tone_pack.not_found"],
      [visible, 403, "tone_pack.not_yours"],
    ] as const) {
      const path = `/api/tone-packs/${pack.id}` as const;
      for (const answer of [await api.put(path, ben, { name: "Mine" }), await api.delete(path, ben)]) {
        expect([answer.status, answer.body.code]).toEqual([status, code]);
      }
      expect((await api.get(path, ada)).body.tone_pack).toEqual(pack);
    }
  });

  it("delete for everybody who did not buy", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ben.id });
    expect(await api.delete(`/api/tone-packs/${pack.id}`, ada)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    for (const person of [ada, ben, await api.person()]) {
      expect((await api.get(`/api/tone-packs/${pack.id}`, person)).status).toBe(404);
    }
    for (const answer of [
      await api.delete(`/api/tone-packs/${pack.id}`, ada),
      await api.put(`/api/tone-packs/${pack.id}`, ada, { name: "Back" }),
      await share(pack.id, ada, { user_id: ben.id }),
      await activate(pack.id, ada),
    ]) {
      expect(answer.body.code).toBe("tone_pack.not_found");
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

    const { status, body } = await api.get("/api/tone-packs", reader);
    expect(status).toBe(200);
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

  it("pages the public section, and tells the others with the first page", async () => {
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
      seen.push(...body.public.map((pack: { id: string }) => pack.id));
      expect(body.own.map((pack: { id: string }) => pack.id)).toEqual(pages === 0 ? [own.id] : []);
      cursor = body.next_cursor;
      pages += 1;
    }
    expect(seen.slice(0, 5)).toEqual(made);
    expect((await api.get("/api/tone-packs?limit=0", reader)).status).toBe(400);
    expect((await api.get("/api/tone-packs?cursor=x", reader)).status).toBe(400);
  });
});

describe("sharing", () => {
  it("takes an address in any case or an id, shows the pack, and may be repeated", async () => {
    for (const recipient of [{ email: ben.email.toUpperCase() }, { user_id: ben.id }]) {
      const pack = await makePack(api, ada);
      expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).body.code).toBe("tone_pack.not_found");
      const first = await share(pack.id, ada, recipient);
      expect(first).toMatchObject({ status: 200, body: { message: expect.any(String), share: { pack_id: pack.id } } });
      expect((await share(pack.id, ada, recipient)).body).toEqual(first.body);
      expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).body.tone_pack).toEqual({ ...pack, access: "shared" });
      const { body } = await api.get("/api/tone-packs", ben);
      expect(body.shared.filter(({ id }: { id: string }) => id === pack.id)).toHaveLength(1);
    }
  });

  it("by address never reveals whose the address is", async () => {
    const pack = await makePack(api, ada);
    const { share: byAddress } = (await share(pack.id, ada, { email: ben.email })).body;
    expect(byAddress).toEqual({
      id: expect.any(String),
      pack_id: pack.id,
      user_id: null,
      created_at: expect.any(String),
    });
    // Neither ending nor repeating it with an id says whether the guess was right.
    const guess = `/api/tone-packs/${pack.id}/share/${ben.id}`;
    expect((await api.delete(guess, ada)).body.code).toBe("tone_pack.share_not_found");
    const { share: byId } = (await share(pack.id, ada, { user_id: ben.id })).body;
    expect(byId).toMatchObject({ user_id: ben.id });
    expect(byId.id).not.toBe(byAddress.id);
    expect((await api.delete(guess, ada)).status).toBe(200);
    expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).status).toBe(200);
    expect((await api.delete(`/api/tone-packs/${pack.id}/share/${byAddress.id}`, ben)).body.code).toBe(
      "tone_pack.not_yours",
    );
    expect((await api.delete(`/api/tone-packs/${pack.id}/share/${byAddress.id}`, ada)).status).toBe(200);
    expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).status).toBe(404);
  });

  it("is ended altogether by a recipient, whichever way it was shared", async () => {
    const pack = await makePack(api, ada);
    await share(pack.id, ada, { email: ben.email });
    await share(pack.id, ada, { user_id: ben.id });
    await activate(pack.id, ben);
    expect((await api.delete(`/api/tone-packs/${pack.id}/share/${ben.id}`, ben)).status).toBe(200);
    expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).status).toBe(404);
    expect(await activePackOf(api, ben)).toBeNull();
  });

  it("by address has a quota of 30 a day that counts unknown addresses too", async () => {
    const sharer = await api.person();
    const pack = await makePack(api, sharer);
    // The period is tomorrow's, so that midnight does not begin a new one during the test.
    await asSuperuser(api.adminUrl, (client) =>
      client.query(
        `insert into private.quota_uses (user_id, name, period_start, used)
         values ($1, 'tone_pack_share', date_trunc('day', now(), 'UTC') + interval '1 day', 27)`,
        [sharer.id],
      ),
    );
    const statuses = [];
    for (const email of [ben.email, "unknown@example.test", "unknown@example.test", ben.email]) {
      statuses.push((await share(pack.id, sharer, { email })).status);
    }
    expect(statuses).toEqual([200, 404, 404, 429]);
    const refused = await share(pack.id, sharer, { email: ben.email });
    expect(refused.body.code).toBe("quota.exhausted");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await share(pack.id, sharer, { user_id: ben.id })).status).toBe(200);
  });

  it("is refused for oneself, for nobody, for both at once, and to those who do not own the pack", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    expect((await share(pack.id, ada, { user_id: ada.id })).body.code).toBe("tone_pack.self_share");
    expect((await share(pack.id, ada, { email: ada.email })).body.code).toBe("tone_pack.self_share");
    expect((await share(pack.id, ada, { user_id: randomUUID() })).body.code).toBe("user.not_found");
    expect((await share(pack.id, ada, { email: "nobody@example.test" })).body.code).toBe("user.not_found");
    for (const body of [{}, { email: ben.email, user_id: ben.id }, { email: "no address" }, { user_id: "7" }]) {
      expect((await share(pack.id, ada, body)).status).toBe(400);
    }
    expect((await share(pack.id, ben, { user_id: ben.id })).body.code).toBe("tone_pack.not_yours");
    expect((await share(randomUUID(), ada, { user_id: ben.id })).body.code).toBe("tone_pack.not_found");
  });

  it("is ended by the owner or the recipient, by nobody else, and once", async () => {
    const stranger = await api.person();
    const pack = await makePack(api, ada);
    const path = `/api/tone-packs/${pack.id}/share/${ben.id}`;
    for (const ender of [ada, ben]) {
      await share(pack.id, ada, { user_id: ben.id });
      expect((await api.delete(path, stranger)).body.code).toBe("tone_pack.not_found");
      expect((await api.delete(path, ender)).status).toBe(200);
      expect((await api.get(`/api/tone-packs/${pack.id}`, ben)).status).toBe(404);
      expect((await api.delete(path, ada)).body.code).toBe("tone_pack.share_not_found");
    }
    await api.put(`/api/tone-packs/${pack.id}`, ada, { is_public: true });
    await share(pack.id, ada, { user_id: ben.id });
    expect((await api.delete(path, stranger)).body.code).toBe("tone_pack.not_yours");
  });
});

describe("activating", () => {
  it("sets the active pack of whoever may use it, and shows in profile, pack and /active", async () => {
    const pack = await makePack(api, ada);
    const { status, body } = await activate(pack.id, ada);
    expect([status, body.active_tone_pack_id]).toEqual([200, pack.id]);
    expect(await activePackOf(api, ada)).toBe(pack.id);
    expect((await api.get("/api/tone-packs/active?mood=joyful", ada)).body).toEqual({
      tone_pack: { ...pack, is_active: true },
      images: {},
      image_url: null,
    });
    expect((await activate(pack.id, ben)).body.code).toBe("tone_pack.not_found");
    expect((await activate(randomUUID(), ada)).body.code).toBe("tone_pack.not_found");
  });

  it("demands payment for a public pack with a price, unless it is shared", async () => {
    const pack = await makePack(api, ada, { is_public: true, price_drops: 3 });
    const reader = await api.person();
    const refused = await activate(pack.id, reader);
    expect([refused.status, refused.body.code]).toEqual([402, "tone_pack.not_purchased"]);
    await share(pack.id, ada, { user_id: reader.id });
    expect((await activate(pack.id, reader)).status).toBe(200);
    await api.delete(`/api/tone-packs/${pack.id}/share/${reader.id}`, ada);
    expect(await activePackOf(api, reader)).toBeNull();
  });

  it("is undone through the profile with null, and with nothing else", async () => {
    const reader = await api.person();
    const pack = await makePack(api, reader);
    const other = await makePack(api, reader);
    await activate(pack.id, reader);
    const { status } = await api.put("/api/user/profile", reader, {
      preferences: { theme: "dark", active_tone_pack_id: other.id },
    });
    expect(status).toBe(200);
    expect(await activePackOf(api, reader)).toBe(pack.id);
    const { body } = await api.put("/api/user/profile", reader, { preferences: { active_tone_pack_id: null } });
    expect(body.profile.preferences).toEqual({ theme: "dark", active_tone_pack_id: null });
    expect((await api.get("/api/tone-packs/active", reader)).body).toEqual({
      tone_pack: null,
      images: {},
      image_url: null,
    });
  });

  it.each([
    [
      "unshared",
      async (id: string, reader: Person) => void (await api.delete(`/api/tone-packs/${id}/share/${reader.id}`, ada)),
    ],
    ["deleted", async (id: string) => void (await api.delete(`/api/tone-packs/${id}`, ada))],
  ])("ends for a recipient when the pack is %s", async (_, end) => {
    const reader = await api.person();
    const pack = await makePack(api, ada);
    await share(pack.id, ada, { user_id: reader.id });
    await activate(pack.id, reader);
    await end(pack.id, reader);
    expect(await activePackOf(api, reader)).toBeNull();
  });

  it("ends when a pack is not public any more for those who have it in no other way", async () => {
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
  ] as const)("leaves it active for nobody: %s", async (_, fields, takeAway) => {
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

describe("without a model", () => {
  it("no images are drawn", async () => {
    const pack = await makePack(api, ada);
    const { status, body } = await api.post(`/api/tone-packs/${pack.id}/generate-images`, ada, { tones: ["sad"] });
    expect([status, body.code]).toEqual([503, "provider.not_configured"]);
  });
});
