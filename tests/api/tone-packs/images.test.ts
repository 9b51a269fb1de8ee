import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sumUsd } from "#core/money/pricing";
import { tonePacksApp } from "#functions/tone-packs/app";
import type { Clock } from "#http/services/clock";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { startModel } from "#local/stand-ins/model";
import { freePort } from "#local/support/ports";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { drawingCosts } from "#tests/models";
import type { Person } from "#tests/people";
import { leaveQuota } from "#tests/quota";
import { startTestSupabase } from "#tests/supabase";
import { type FlakyStore, startFlakyStore } from "./flaky-store.ts";
import { makePack, refund } from "./making.ts";

const model = await startModel();
const port = await freePort();
const api = useApi({
  environment: {
    AI_PROVIDER_API_KEY: "any",
    AI_PROVIDER_BASE_URL: model.url,
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_SECRET_KEY: LOCAL_SUPABASE_KEYS.secretKey,
  },
});
let storage: Awaited<ReturnType<typeof startTestSupabase>> | undefined;
let flakyStore: FlakyStore | undefined;
let ada: Person;
beforeAll(async () => {
  storage = await startTestSupabase(api.adminUrl);
  flakyStore = await startFlakyStore(port, storage.url);
});
afterAll(async () => {
  await flakyStore?.stop();
  await storage?.stop();
  await model.stop();
});
beforeEach(async () => {
  ada = await api.person();
  model.mode("normal");
  model.requests.length = 0;
  flakyStore?.failNext(0, "hangs up");
});

const draw = (packId: string, person: Person, body: object) =>
  api.post(`/api/tone-packs/${packId}/generate-images`, person, body);

/** Draws for Ada with another clock. */
function drawAt(clock: Clock, packId: string, body: object) {
  const client = clientOf(tonePacksApp({ ...api.services, clock }).fetch);
  return client.post(`/api/tone-packs/${packId}/generate-images`, ada, body);
}

/** The recorded uses of the model by a person, and their files that no row refers to. */
async function recorded(person: Person) {
  const usage = await api.query(
    `select usage_type, image_count, image_quality, cost_usd::text, reference_type, reference_id
     from nectar.token_usage where user_id = $1 and has_reply order by created_at, id`,
    [person.id],
  );
  const orphans = await api.query(
    `select path, remove_after <= now() as due from private.stored_files_to_remove
     where store = 'tone-packs' and path like $1 || '/%'`,
    [person.id],
  );
  return { usage, orphans };
}

describe("POST /api/tone-packs/:id/generate-images", () => {
  it("draws an image for each tone, stores it publicly, and records the use of the model", async () => {
    const pack = await makePack(api, ada, { theme: "line-art" });
    const body = await draw(pack.id, ada, { tones: [" Joyful", "very calm", "joyful"], quality: "hd" }).ok();
    expect(body).toMatchObject({ images: [{ tone: "joyful" }, { tone: "very calm" }], failed: [] });
    const costs = drawingCosts(model, "hd");
    expect(Number(body.cost_usd)).toBe(Number(sumUsd(costs)));
    const url = body.images[1]?.image_url ?? "";
    expect(new URL(url).pathname).toMatch(
      new RegExp(`^/storage/v1/object/public/tone-packs/${ada.id}/${pack.id}/very-calm-\\d{13}\\.png$`),
    );
    const loaded = await fetch(url);
    expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, "image/png"]);
    const { usage, orphans } = await recorded(ada);
    expect(orphans).toEqual([]);
    const use = { usage_type: "tone_pack_image", image_count: 1, image_quality: "hd" };
    const reference = { reference_type: "tone_pack", reference_id: pack.id };
    expect(usage.toSorted((one, other) => Number(one.cost_usd) - Number(other.cost_usd))).toEqual(
      costs.toSorted().map((cost_usd) => ({ ...use, ...reference, cost_usd })),
    );
    expect(model.requests).toHaveLength(2);
    expect((await api.get(`/api/tone-packs/${pack.id}`, ada)).body.tone_pack.images).toEqual(body.images);

    await api.post(`/api/tone-packs/${pack.id}/activate`, ada);
    expect((await api.get("/api/tone-packs/active?mood=Very%20CALM", ada)).body).toMatchObject({
      images: { joyful: body.images[0]?.image_url, "very calm": url },
      image_url: url,
    });
    expect((await api.get("/api/tone-packs/active?mood=sad", ada)).body.image_url).toBeNull();
  });

  it("replaces the image of a tone and removes the old file; deleting the pack removes the last one", async () => {
    const pack = await makePack(api, ada);
    const path = (image: { image_url: string }) => image.image_url.split("/tone-packs/")[1];
    const [first] = (await draw(pack.id, ada, { tones: ["sad"] })).body.images;
    const [second] = (await draw(pack.id, ada, { tones: ["sad"] })).body.images;
    expect(path(second)).not.toBe(path(first));
    expect((await api.get(`/api/tone-packs/${pack.id}`, ada)).body.tone_pack.images).toEqual([second]);
    expect((await recorded(ada)).orphans).toEqual([{ path: path(first), due: true }]);
    await api.delete(`/api/tone-packs/${pack.id}`, ada);
    expect((await recorded(ada)).orphans).toHaveLength(2);
  });

  it("keeps the images of a deleted pack as long as it has a buyer", async () => {
    const buyer = await api.person();
    const pack = await makePack(api, ada, { is_public: true });
    const { images } = (await draw(pack.id, ada, { tones: ["sad"] })).body;
    const [{ body: first }, { body: last }] = [
      await api.post(`/api/tone-packs/${pack.id}/purchase`, await api.person()),
      await api.post(`/api/tone-packs/${pack.id}/purchase`, buyer),
    ];
    await api.delete(`/api/tone-packs/${pack.id}`, ada);
    await refund(api, first.purchase.user_id, first.transaction);
    expect((await api.get(`/api/tone-packs/${pack.id}`, buyer)).body.tone_pack.images).toEqual(images);
    expect((await recorded(ada)).orphans).toEqual([]);
    await refund(api, buyer.id, last.transaction);
    expect((await recorded(ada)).orphans).toMatchObject([{ due: true }]);
  });

  it("lists the tones that the model refuses; if it refuses all, that is 422, and 500 if trying again may help", async () => {
    const pack = await makePack(api, ada);
    const error = "The model refuses to draw this; change the text.";
    model.mode({ moderates: "furious" });
    const { body } = await draw(pack.id, ada, { tones: ["calm", "furious"] });
    expect(body).toMatchObject({ images: [{ tone: "calm" }], failed: [{ tone: "furious", error }] });
    await draw(pack.id, ada, { tones: ["furious"] }).refused(422, "ai.refused");
    model.mode("not verified");
    await draw(pack.id, ada, { tones: ["calm", "furious"] }).refused(500, "provider.failed");
    expect(api.logged()).toContain('"failure":{"kind":"VendorFailure","status":403,');
    expect((await recorded(ada)).usage).toHaveLength(1);
  });

  it("lists the tones that failed, and charges only for the others", async () => {
    const pack = await makePack(api, ada);
    model.mode({ failEvery: 2 });
    const body = await draw(pack.id, ada, { tones: ["a", "b", "c", "d", "e", "f", "g", "h"] }).ok();
    const cost = Number(sumUsd(drawingCosts(model, "standard").slice(0, 4)));
    expect([body.images.length, body.failed.length, Number(body.cost_usd)]).toEqual([4, 4, cost]);
    expect(body.failed[0]).toEqual({ tone: expect.any(String), error: "The image could not be drawn." });
    expect((await recorded(ada)).usage).toHaveLength(4);
    expect((await api.get("/api/user/ai-use", ada).ok()).uses).toHaveLength(8);
  });

  it("is 500 if all tones fail", async () => {
    const pack = await makePack(api, ada);
    model.mode("fail");
    await draw(pack.id, ada, { tones: ["sad", "calm"] }).refused(500, "provider.failed");
    expect(await recorded(ada)).toEqual({ usage: [], orphans: [] });
  });

  it("refuses a tone with a slash", async () => {
    const pack = await makePack(api, ada);
    await draw(pack.id, ada, { tones: ["../etc"] }).invalid("tones.0");
    expect(model.requests).toEqual([]);
  });

  it("is allowed only for the owner", async () => {
    const stranger = await api.person();
    const hidden = await makePack(api, ada);
    const visible = await makePack(api, ada, { is_public: true });
    await draw(hidden.id, stranger, { tones: ["sad"] }).refused(404, "tone_pack.not_found");
    await draw(visible.id, stranger, { tones: ["sad"] }).refused(403, "tone_pack.not_yours");
    expect(model.requests).toEqual([]);
  });

  it("is 429 for more than 100 images a day", async () => {
    const pack = await makePack(api, ada);
    await leaveQuota(api.adminUrl, ada, "tone_pack_images", 1);
    const refused = await draw(pack.id, ada, { tones: ["sad", "calm"] });
    expect([refused.status, refused.body.code]).toEqual([429, "ai.quota_exhausted"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await draw(pack.id, ada, { tones: ["sad"] }).ok();
    await draw(pack.id, ada, { tones: ["sad"] }).refused(429);
  });

  it.each(["responds with 500", "hangs up"] as const)(
    "stores an image even if the store %s a few times",
    async (how) => {
      const pack = await makePack(api, ada);
      flakyStore?.failNext(3, how);
      const { images, failed } = await draw(pack.id, ada, { tones: ["sad"] }).ok();
      expect([failed, flakyStore?.failuresLeft()]).toEqual([[], 0]);
      const loaded = await fetch(images[0]?.image_url ?? "");
      expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, "image/png"]);
      const { usage, orphans } = await recorded(ada);
      expect([usage.length, orphans]).toEqual([1, []]);
    },
  );

  it("stores no image for a pack that is deleted meanwhile, but records the use of the model", async () => {
    const pack = await makePack(api, ada);
    const upload = flakyStore?.delayNext();
    const drawing = draw(pack.id, ada, { tones: ["sad"] });
    await upload?.arrived;
    expect((await api.delete(`/api/tone-packs/${pack.id}`, ada)).status).toBe(200);
    upload?.release();
    expect((await drawing).body.code).toBe("provider.failed");
    const { usage, orphans } = await recorded(ada);
    expect(usage).toHaveLength(1);
    expect(orphans).toEqual([{ path: expect.stringContaining(pack.id), due: false }]);
  });

  it("stores one image for a tone that is drawn twice in one millisecond, and records both drawings", async () => {
    const pack = await makePack(api, ada);
    const moment = new Date();
    const clock = { now: () => moment };
    const upload = flakyStore?.delayNext();
    const first = drawAt(clock, pack.id, { tones: ["sad"] });
    await upload?.arrived;
    const second = await drawAt(clock, pack.id, { tones: ["sad"] });
    expect(second).toMatchObject({ status: 500, body: { code: "provider.failed" } });
    upload?.release();
    expect((await first).body.images).toMatchObject([{ tone: "sad" }]);
    const { usage, orphans } = await recorded(ada);
    expect([usage.length, orphans]).toEqual([2, []]);
  });

  it("does not start a drawing if there is too little time left", async () => {
    const pack = await makePack(api, ada);
    // Half of the time for drawing passes with every look at the clock.
    let looks = 0;
    const clock = { now: () => new Date(Date.now() + 20_000 * looks++) };
    const { body } = await drawAt(clock, pack.id, { tones: ["sad", "calm", "tired"] });
    expect(body).toMatchObject({ images: [{ tone: "sad" }], cost_usd: Number(drawingCosts(model, "standard")[0]) });
    expect(body.failed).toEqual(["calm", "tired"].map((tone) => ({ tone, error: "There was no time left." })));
    expect(model.requests).toHaveLength(1);
  });

  // Without a time limit the first one would never end.
  it.each([
    ["does not respond", "never responds", 1],
    ["hangs up every time", "hangs up", Number.POSITIVE_INFINITY],
  ] as const)("records the use of the model even if the store %s", { timeout: 60_000 }, async (_, how, times) => {
    const pack = await makePack(api, ada);
    flakyStore?.failNext(times, how);
    await draw(pack.id, ada, { tones: ["sad"] }).refused(500, "provider.failed");
    const { usage, orphans } = await recorded(ada);
    expect(usage).toHaveLength(1);
    expect(orphans).toEqual([{ path: expect.stringContaining(pack.id), due: false }]);
    expect((await api.get(`/api/tone-packs/${pack.id}`, ada).ok()).tone_pack.images).toEqual([]);
  });
});
