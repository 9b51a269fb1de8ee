import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { ADMIN_TEMPLATES, createTemplate, DRAFT, sendTo } from "../sending.ts";

const api = useApi();
const admin = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person());
const bob = beforeTests(() => api.person());

const create = (fields: object = {}) => createTemplate(api, admin, fields);

const MEDIA = { type: "media", media_url: "https://youtu.be/jNQXAC9IVRw" } as const;
const DERIVED = "https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg";
const OWN = "https://img.example/own.png";

describe("POST /api/encouragement-drops/admin/templates", () => {
  it("derives service and preview from a link, and stores its normalized address", async () => {
    const template = await create({ type: "media", media_url: " https://WWW.YouTube.com/watch?v=jNQXAC9IVRw&t=1s " });
    const media_url = "https://www.youtube.com/watch?v=jNQXAC9IVRw&t=1s";
    expect(template).toMatchObject({ media_type: "youtube", media_url, thumbnail_url: DERIVED });
  });

  it("accepts a thumbnail of up to 2,048 characters, and sends it with the drops", async () => {
    const longest = `https://img.example/${"a".repeat(2028)}`;
    const template = await create({ ...MEDIA, thumbnail_url: ` HTTPS${longest.slice(5)} `, is_approved: true });
    expect(template.thumbnail_url).toBe(longest);
    expect((await create({ ...MEDIA, thumbnail_url: null })).thumbnail_url).toBe(DERIVED);
    const { drop } = (await sendTo(api, ada, bob, { template_id: template.id })).body;
    expect(drop.thumbnail_url).toBe(longest);
  });

  it("reports all problems of type, link and thumbnail at once", async () => {
    const links = { media_url: MEDIA.media_url, thumbnail_url: OWN };
    await api.post(ADMIN_TEMPLATES, admin, { ...DRAFT, ...links }).invalid("media_url", "thumbnail_url");
  });

  const INVALID: readonly [name: string, fields: object, path: string][] = [
    ["media without a link", { type: "media" }, "media_url"],
    ["a link without media", { media_url: "https://vimeo.com/22439234" }, "media_url"],
    ["a link to elsewhere", { type: "media", media_url: "https://youtube.com.example/watch" }, "media_url"],
    ["a thumbnail without media", { thumbnail_url: "https://img.example/a.png" }, "thumbnail_url"],
    ["a thumbnail that is no https address", { ...MEDIA, thumbnail_url: "http://img.example/a.png" }, "thumbnail_url"],
    ["a thumbnail that is no address", { ...MEDIA, thumbnail_url: "a.png" }, "thumbnail_url"],
    ["a long thumbnail", { ...MEDIA, thumbnail_url: `https://img.example/${"a".repeat(2029)}` }, "thumbnail_url"],
  ];
  it.each(INVALID)("is 400 with %s", async (_, fields, path) => {
    const { issues } = await api.post(ADMIN_TEMPLATES, admin, { ...DRAFT, ...fields }).refused(400, "request.invalid");
    expect(new Set(issues.map((issue) => issue.path))).toEqual(new Set([path]));
  });
});

describe("PUT /api/encouragement-drops/admin/templates/:id", () => {
  it("updates the given fields, and checks type and link as they result", async () => {
    const { id } = await create();
    const put = (fields: object) => api.put(`${ADMIN_TEMPLATES}/${id}`, admin, fields);
    expect((await put({ title: "Better" })).body.template).toMatchObject({ title: "Better", content: "Not yet" });

    await put({ type: "media" }).invalid("media_url");
    const media = await put({ type: "media", media_url: "https://youtu.be/jNQXAC9IVRw" });
    expect(media.body.template).toMatchObject({ type: "media", media_type: "youtube" });
    const moved = await put({ media_url: "https://vimeo.com/22439234" });
    expect(moved.body.template).toMatchObject({ media_type: "vimeo", thumbnail_url: null });
    await put({ media_url: null }).invalid("media_url");
    await put({ type: "encouragement" }).invalid("media_url");
    const plain = await put({ type: "encouragement", media_url: null });
    expect(plain.body.template).toMatchObject({ type: "encouragement", media_type: null, media_url: null });
  });

  it("sets and clears a thumbnail, and keeps it when the link changes", async () => {
    const { id } = await create(MEDIA);
    const put = async (fields: object) => (await api.put(`${ADMIN_TEMPLATES}/${id}`, admin, fields)).body.template;
    const vimeo = "https://vimeo.com/22439234";
    expect(await put({ thumbnail_url: OWN })).toMatchObject({ media_url: MEDIA.media_url, thumbnail_url: OWN });
    expect(await put({ title: "Renamed" })).toMatchObject({ thumbnail_url: OWN });
    expect(await put({ media_url: vimeo })).toMatchObject({ media_url: vimeo, thumbnail_url: OWN });
    expect(await put({ thumbnail_url: null })).toMatchObject({ media_url: vimeo, thumbnail_url: null });
    expect(await put({ media_url: MEDIA.media_url })).toMatchObject({ thumbnail_url: DERIVED });
    await put({ thumbnail_url: OWN });
    expect(await put({ thumbnail_url: null })).toMatchObject({ media_url: MEDIA.media_url, thumbnail_url: DERIVED });
  });

  it("removes the thumbnail together with the link, and refuses one without a link", async () => {
    const { id } = await create({ ...MEDIA, thumbnail_url: OWN });
    const put = (fields: object) => api.put(`${ADMIN_TEMPLATES}/${id}`, admin, fields);
    await put({ type: "encouragement", media_url: null, thumbnail_url: OWN }).invalid("thumbnail_url");
    const plain = await put({ type: "encouragement", media_url: null });
    expect(plain.body.template).toMatchObject({ media_url: null, thumbnail_url: null });
  });
});
