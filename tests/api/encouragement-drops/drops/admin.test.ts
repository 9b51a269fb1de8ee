import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import { asSuperuser, type Person } from "../../../support/people.ts";
import { ROOM, sendTo } from "../sending.ts";

const api = useApi();
let admin: Person;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  admin = await api.person({ role: "admin" });
  ada = await api.person();
  bob = await api.person();
});

const ADMIN = `${ROOM}/admin/templates`;
const DRAFT = { type: "encouragement", title: "A draft", content: "Not yet" } as const;

async function create(fields: object = {}) {
  const { status, body } = await api.post(ADMIN, admin, { ...DRAFT, ...fields });
  expect(status).toBe(201);
  return body.template;
}

/** The ids of the templates that a person is offered. */
async function offered(person: Person, query = ""): Promise<string[]> {
  const { templates } = (await api.get(`${ROOM}/templates?limit=500${query}`, person)).body;
  return templates.map(({ id }: { id: string }) => id);
}

const MEDIA = { type: "media", media_url: "https://youtu.be/jNQXAC9IVRw" } as const;
const DERIVED = "https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg";
const OWN = "https://img.example/own.png";

describe("GET /api/encouragement-drops/templates", () => {
  it("offers twenty of each type from the first day on, all approved and complete", async () => {
    for (const type of ["encouragement", "media", "science_tidbit"]) {
      const { status, body } = await api.get(`${ROOM}/templates?type=${type}`, ada);
      expect([status, body.templates.length, body.next_cursor]).toEqual([200, 20, null]);
      for (const template of body.templates) {
        expect(template).toMatchObject({ type, is_approved: true, usage_count: 0 });
        expect(template.media_url === null).toBe(type !== "media");
      }
    }
    expect((await offered(ada)).length).toBe(60);
  });

  it("comes in pages that neither repeat nor miss anything", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { body } = await api.get(`${ROOM}/templates?limit=25${cursor}`, ada);
      seen.push(...body.templates.map(({ id }: { id: string }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(await offered(ada));
  });

  it("is 400 for an unknown type", async () => {
    expect((await api.get(`${ROOM}/templates?type=joke`, ada)).body.issues).toEqual([
      { path: "type", message: expect.any(String) },
    ]);
  });
});

describe("approval", () => {
  it("makes a template visible and sendable, and withdrawing it ends both", async () => {
    const draft = await create();
    expect(draft).toEqual({
      id: expect.any(String),
      ...DRAFT,
      media_type: null,
      media_url: null,
      thumbnail_url: null,
      is_approved: false,
      usage_count: 0,
      created_at: expect.any(String),
      updated_at: draft.created_at,
    });
    const send = async () => (await sendTo(api, ada, bob, { template_id: draft.id })).status;
    // Admins, too, are offered here what is approved, and nothing else.
    expect([await offered(ada), await offered(admin)].flat()).not.toContain(draft.id);
    expect(await send()).toBe(404);

    const approved = (await api.put(`${ADMIN}/${draft.id}`, admin, { is_approved: true })).body.template;
    expect(approved).toEqual({ ...draft, is_approved: true, updated_at: expect.any(String) });
    expect(approved.updated_at >= draft.updated_at).toBe(true);
    expect((await offered(ada, "&type=encouragement"))[0]).toBe(draft.id);
    expect(await send()).toBe(201);

    await api.put(`${ADMIN}/${draft.id}`, admin, { is_approved: false });
    expect(await offered(ada)).not.toContain(draft.id);
    expect(await send()).toBe(404);
  });

  it("may come with the creation", async () => {
    const { id } = await create({ is_approved: true });
    expect(await offered(ada)).toContain(id);
  });
});

describe("GET /api/encouragement-drops/admin/templates", () => {
  it("lists all, newest first, or those of a type or state", async () => {
    const draft = await create({ type: "science_tidbit", title: "Newest draft" });
    const list = async (query: string) => (await api.get(`${ADMIN}?limit=500${query}`, admin)).body.templates;
    const all = await list("");
    expect(all[0]).toEqual(draft);
    expect(all.length).toBeGreaterThan(60);
    const drafts = await list("&is_approved=false");
    expect(drafts.length).toBeGreaterThan(0);
    expect(drafts.filter(({ is_approved }: { is_approved: boolean }) => is_approved)).toEqual([]);
    expect(drafts.length + (await list("&is_approved=true")).length).toBe(all.length);
    const facts = await list("&type=science_tidbit&is_approved=false");
    expect(facts).toEqual([draft]);
    expect((await api.get(ADMIN, admin)).body.templates.length).toBe(50);
  });
});

describe("POST /api/encouragement-drops/admin/templates", () => {
  it("works out service and preview of a link, and stores the address as it was checked", async () => {
    const template = await create({ type: "media", media_url: " https://WWW.YouTube.com/watch?v=jNQXAC9IVRw&t=1s " });
    expect(template).toMatchObject({
      media_type: "youtube",
      media_url: "https://www.youtube.com/watch?v=jNQXAC9IVRw&t=1s",
      thumbnail_url: "https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg",
    });
  });

  it("takes a thumbnail of its own, of up to 2,048 characters, and sends it with its drops", async () => {
    const longest = `https://img.example/${"a".repeat(2028)}`;
    const template = await create({ ...MEDIA, thumbnail_url: ` HTTPS${longest.slice(5)} `, is_approved: true });
    expect(template.thumbnail_url).toBe(longest);
    expect((await create({ ...MEDIA, thumbnail_url: null })).thumbnail_url).toBe(DERIVED);
    const { drop } = (await sendTo(api, ada, bob, { template_id: template.id })).body;
    expect(drop.thumbnail_url).toBe(longest);
  });

  it("reports all problems of type, link and thumbnail at once", async () => {
    const { body } = await api.post(ADMIN, admin, { ...DRAFT, media_url: MEDIA.media_url, thumbnail_url: OWN });
    expect(body.issues).toEqual([
      { path: "media_url", message: "is only for media" },
      { path: "thumbnail_url", message: "is only for media" },
    ]);
  });

  it("is stored once with an Idempotency-Key", async () => {
    const key = { "idempotency-key": "one template" };
    const first = await api.post(ADMIN, admin, { ...DRAFT, title: "Once" }, key);
    const second = await api.post(ADMIN, admin, { ...DRAFT, title: "Once" }, key);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  const INVALID: readonly [name: string, fields: object, path: string][] = [
    ["no type", { type: undefined }, "type"],
    ["a blank title", { title: " " }, "title"],
    ["a long title", { title: "x".repeat(101) }, "title"],
    ["no content", { content: undefined }, "content"],
    ["a long content", { content: "x".repeat(501) }, "content"],
    ["media without a link", { type: "media" }, "media_url"],
    ["a link without media", { media_url: "https://vimeo.com/22439234" }, "media_url"],
    ["a link to elsewhere", { type: "media", media_url: "https://youtube.com.example/watch" }, "media_url"],
    ["a thumbnail without media", { thumbnail_url: "https://img.example/a.png" }, "thumbnail_url"],
    ["a thumbnail that is no https address", { ...MEDIA, thumbnail_url: "http://img.example/a.png" }, "thumbnail_url"],
    ["a thumbnail that is no address", { ...MEDIA, thumbnail_url: "a.png" }, "thumbnail_url"],
    ["a long thumbnail", { ...MEDIA, thumbnail_url: `https://img.example/${"a".repeat(2029)}` }, "thumbnail_url"],
    ["approval by word", { is_approved: "yes" }, "is_approved"],
  ];
  it.each(INVALID)("is 400 with %s", async (_, fields, path) => {
    const answer = await api.post(ADMIN, admin, { ...DRAFT, ...fields });
    expect([answer.status, answer.body.code]).toEqual([400, "request.invalid"]);
    expect(answer.body.issues).toContainEqual({ path, message: expect.any(String) });
  });
});

describe("PUT /api/encouragement-drops/admin/templates/:id", () => {
  it("changes what is named, and judges type and link as they are in the end", async () => {
    const { id } = await create();
    const put = (fields: object) => api.put(`${ADMIN}/${id}`, admin, fields);
    expect((await put({ title: "Better" })).body.template).toMatchObject({ title: "Better", content: "Not yet" });

    const lacking = await put({ type: "media" });
    expect([lacking.status, lacking.body.issues]).toEqual([
      400,
      [{ path: "media_url", message: "must be given with media" }],
    ]);
    const media = await put({ type: "media", media_url: "https://youtu.be/jNQXAC9IVRw" });
    expect(media.body.template).toMatchObject({ type: "media", media_type: "youtube" });
    const moved = await put({ media_url: "https://vimeo.com/22439234" });
    expect(moved.body.template).toMatchObject({ media_type: "vimeo", thumbnail_url: null });
    expect((await put({ media_url: null })).status).toBe(400);
    expect((await put({ type: "encouragement" })).body.issues).toEqual([
      { path: "media_url", message: "is only for media" },
    ]);
    expect((await put({ type: "encouragement", media_url: null })).body.template).toMatchObject({
      type: "encouragement",
      media_type: null,
      media_url: null,
    });
  });

  it("sets and clears a thumbnail, and keeps it when the link changes", async () => {
    const { id } = await create(MEDIA);
    const put = async (fields: object) => (await api.put(`${ADMIN}/${id}`, admin, fields)).body.template;
    const vimeo = "https://vimeo.com/22439234";
    expect(await put({ thumbnail_url: OWN })).toMatchObject({ media_url: MEDIA.media_url, thumbnail_url: OWN });
    expect(await put({ title: "Renamed" })).toMatchObject({ thumbnail_url: OWN });
    expect(await put({ media_url: vimeo })).toMatchObject({ media_url: vimeo, thumbnail_url: OWN });
    expect(await put({ thumbnail_url: null })).toMatchObject({ media_url: vimeo, thumbnail_url: null });
    expect(await put({ media_url: MEDIA.media_url })).toMatchObject({ thumbnail_url: DERIVED });
    expect(await put({ thumbnail_url: OWN })).toMatchObject({ thumbnail_url: OWN });
    expect(await put({ thumbnail_url: null })).toMatchObject({ media_url: MEDIA.media_url, thumbnail_url: DERIVED });
  });

  it("drops the thumbnail together with the link, and refuses one without a link", async () => {
    const { id } = await create({ ...MEDIA, thumbnail_url: OWN });
    const put = (fields: object) => api.put(`${ADMIN}/${id}`, admin, fields);
    const refused = await put({ type: "encouragement", media_url: null, thumbnail_url: OWN });
    expect([refused.status, refused.body.issues]).toEqual([
      400,
      [{ path: "thumbnail_url", message: "is only for media" }],
    ]);
    expect((await put({ type: "encouragement", media_url: null })).body.template).toMatchObject({
      media_url: null,
      thumbnail_url: null,
    });
  });

  it("is 400 without a change, 404 without a template", async () => {
    const { id } = await create();
    expect((await api.put(`${ADMIN}/${id}`, admin, { usage_count: 9 })).status).toBe(400);
    const missing = await api.put(`${ADMIN}/${randomUUID()}`, admin, { title: "Nobody" });
    expect([missing.status, missing.body.code]).toEqual([404, "encouragement.template_not_found"]);
  });
});

describe("DELETE /api/encouragement-drops/admin/templates/:id", () => {
  it("removes the template and leaves what was sent with it", async () => {
    const { id } = await create({ is_approved: true, title: "Short-lived", content: "But sent" });
    const carl = await api.person();
    const { drop } = (await sendTo(api, ada, carl, { template_id: id })).body;
    expect((await api.delete(`${ADMIN}/${id}`, admin)).status).toBe(200);
    expect(await offered(ada)).not.toContain(id);
    expect((await api.get(`${ROOM}/received`, carl)).body.drops).toEqual([{ ...drop, template_id: null }]);
    expect(drop).toMatchObject({ title: "Short-lived", content: "But sent" });
    expect((await api.delete(`${ADMIN}/${id}`, admin)).body.code).toBe("encouragement.template_not_found");
  });
});

describe("the rules", () => {
  const DEFAULTS = {
    daily_allowance: 5,
    bonus_drops_per_engagement: 2,
    engagement_window_hours: 24,
    max_custom_drops_per_day: 3,
  };

  it("are read by everybody and changed by admins, one or several at a time", async () => {
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config: DEFAULTS });
    expect((await api.get(`${ROOM}/admin/config`, admin)).body).toEqual({ config: DEFAULTS });
    const changed = await api.put(`${ROOM}/admin/config`, admin, { daily_allowance: 0, engagement_window_hours: 168 });
    const config = { ...DEFAULTS, daily_allowance: 0, engagement_window_hours: 168 };
    expect([changed.status, changed.body]).toEqual([200, { config }]);
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config });
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });

  it.each([
    ["nothing", {}, ""],
    ["a fraction", { daily_allowance: 1.5 }, "daily_allowance"],
    ["a negative number", { bonus_drops_per_engagement: -1 }, "bonus_drops_per_engagement"],
    ["more than a hundred a day", { daily_allowance: 101 }, "daily_allowance"],
    ["no window", { engagement_window_hours: 0 }, "engagement_window_hours"],
    ["more than a week", { engagement_window_hours: 169 }, "engagement_window_hours"],
    ["text", { max_custom_drops_per_day: "3" }, "max_custom_drops_per_day"],
    ["null", { max_custom_drops_per_day: null }, "max_custom_drops_per_day"],
  ])("are refused with %s", async (_, fields, path) => {
    const answer = await api.put(`${ROOM}/admin/config`, admin, fields);
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, path]);
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config: DEFAULTS });
  });

  it("decide about the next drop at once, and leave those that were sent as they are", async () => {
    const carl = await api.person();
    const windows = async () => {
      const { rows } = await asSuperuser(api.adminUrl, (client) =>
        client.query(
          `select extract(epoch from engagement_until - created_at)::int / 3600 as hours
           from nectar.encouragement_drops where sender_id = $1 order by created_at, id`,
          [carl.id],
        ),
      );
      return rows.map(({ hours }) => hours);
    };
    await api.put(`${ROOM}/admin/config`, admin, { daily_allowance: 1 });
    expect((await sendTo(api, carl, bob)).status).toBe(201);
    expect((await sendTo(api, carl, bob)).status).toBe(429);
    await api.put(`${ROOM}/admin/config`, admin, { ...DEFAULTS, engagement_window_hours: 2 });
    expect((await sendTo(api, carl, bob)).status).toBe(201);
    expect(await windows()).toEqual([24, 2]);
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });
});

describe("admin routes", () => {
  const ROUTES: readonly [method: string, path: string, body?: object][] = [
    ["GET", ADMIN],
    ["POST", ADMIN, DRAFT],
    ["PUT", `${ADMIN}/${randomUUID()}`, { title: "Mine" }],
    ["DELETE", `${ADMIN}/${randomUUID()}`],
    ["GET", `${ROOM}/admin/config`],
    ["PUT", `${ROOM}/admin/config`, { daily_allowance: 100 }],
  ];
  it.each(ROUTES)("%s %s is 401 for nobody, 403 for a person, and open to admins", async (method, path, body) => {
    const ask = async (as?: Person) => (await api.send(method, path, { as, body })).status;
    expect(await ask()).toBe(401);
    expect(await ask(ada)).toBe(403);
    for (const person of [admin, await api.person({ role: "super_admin" })]) {
      expect(await ask(person)).toSatisfy((status: number) => status < 300 || status === 404);
    }
  });
});
