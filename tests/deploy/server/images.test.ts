import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { routeToGroups } from "#functions/all";
import { housekeeping } from "#functions/health/housekeeping";
import { startModel } from "#local/stand-ins/model";
import { withImages } from "#ops/server/images";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { beforeTests } from "#tests/prepare";

const model = await startModel();
afterAll(() => model.stop());
const api = useApi({
  environment: {
    ...(await useFileStore()),
    AI_PROVIDER_API_KEY: "any",
    AI_PROVIDER_BASE_URL: model.url,
    PUBLIC_URL: "https://nectar.example.test/",
  },
});
const ada = beforeTests(() => api.person());

const send = (url: string, method = "GET") =>
  withImages(api.services, routeToGroups(api.services))(new Request(url, { method }));

/** The addresses of new images of a new pack. */
async function drawPack(...tones: string[]) {
  const { tone_pack } = await api.post("/api/tone-packs", ada, { name: "Faces", theme: "emojis" }).created();
  const path = `/api/tone-packs/${tone_pack.id}/generate-images` as const;
  const { images } = await api.post(path, ada, { tones, quality: "standard" }).ok();
  return { id: tone_pack.id, urls: images.map(({ image_url }) => image_url) };
}

describe("images of tone packs without Supabase Storage", () => {
  it("are in the bucket, and anyone can load them from the server for ever", async () => {
    const { urls } = await drawPack("happy", "very happy", "very-happy");
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      expect(url).toMatch(/^https:\/\/nectar\.example\.test\/images\/tone-packs\/[^?]+\.png$/);
      const response = await send(url);
      expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
        200,
        "image/png",
        "public, max-age=31536000, immutable",
      ]);
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      const head = await send(url, "HEAD");
      expect([head.status, head.headers.get("content-type"), head.body]).toEqual([200, "image/png", null]);
      expect((await send(url.replace(/-\d+\.png$/, "-999.png"), "HEAD")).status).toBe(404);
    }
  });

  it("have a request id, and a log line without the path, which names people and tones", async () => {
    const { urls } = await drawPack("proud");
    const info = vi.spyOn(api.services.logger, "info");
    onTestFinished(() => info.mockRestore());
    const requestId = (await send(urls[0] ?? "")).headers.get("x-request-id");
    expect(info.mock.calls).toEqual([
      [{ request_id: requestId, method: "GET", route: "/images/*", status: 200 }, "request"],
    ]);
  });

  it("are refused while ten of them are being loaded, and loaded again afterwards", async () => {
    const { urls } = await drawPack("tired");
    const load = withImages(api.services, routeToGroups(api.services));
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 12 }, () => load(new Request(urls[0] ?? ""))))).map(
        ({ status }) => status,
      );
    for (const round of [await statuses(), await statuses()]) {
      expect(round.filter((status) => status === 200)).toHaveLength(10);
      expect(round.filter((status) => status === 503)).toHaveLength(2);
    }
  });

  it("are gone after housekeeping when their pack is deleted", async () => {
    const { id, urls } = await drawPack("sad");
    await api.delete(`/api/tone-packs/${id}`, ada).ok();
    await housekeeping.run(api.services);
    expect((await send(urls[0] ?? "")).status).toBe(404);
  });

  it("do not make other files of the bucket public", async () => {
    const { urls } = await drawPack("calm");
    const [, owner = ""] = /tone-packs\/([^/]+)\//.exec(urls[0] ?? "") ?? [];
    await api.services.privateFiles?.upload(`checkins/${owner}/a.jpg`, Buffer.from("private"), "image/jpeg");
    await api.services.privateFiles?.upload(`tone-packs/${owner}/a.png`, Buffer.from("not an image"), "image/png");
    for (const path of [
      `checkins/${owner}/a.jpg`,
      `tone-packs/../checkins/${owner}/a.jpg`,
      `tone-packs/%2e%2e/checkins/${owner}/a.jpg`,
      `tone-packs/${owner}/${owner}/..%2f..%2f..%2fcheckins%2f${owner}%2fa.jpg`,
      `tone-packs/${owner}/a.png`,
      "tone-packs/%E0%A4%A",
      "",
    ]) {
      expect((await send(`https://nectar.example.test/images/${path}`)).status, path).toBe(404);
    }
    expect((await send(urls[0] ?? "", "DELETE")).status).toBe(404);
  });
});
