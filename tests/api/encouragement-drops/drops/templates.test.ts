import { afterEach, describe, expect, it } from "vitest";
import { readMediaLink } from "#core/text/media-link";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { ADMIN_TEMPLATES, createTemplate, DRAFT, ROOM, sendTo } from "../sending.ts";

const api = useApi();
const admin = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person());
const bob = beforeTests(() => api.person());

const created: string[] = [];
afterEach(() => api.query`delete from nectar.drop_templates where id = any(${created})`);

async function create(fields: object = {}) {
  const template = await createTemplate(api, admin, fields);
  created.push(template.id);
  return template;
}

async function listApproved(person: Person, query = ""): Promise<string[]> {
  const { templates } = await api.get(`${ROOM}/templates?limit=500${query}`, person).ok();
  return templates.map(({ id }) => id);
}

describe("GET /api/encouragement-drops/templates", () => {
  it("lists twenty different approved templates of each type from the start, links as sent links are stored", async () => {
    for (const type of ["encouragement", "media", "science_tidbit"]) {
      const page = await api.get(`${ROOM}/templates?type=${type}`, ada).ok();
      expect([page.templates.length, page.next_cursor]).toEqual([20, null]);
      for (const template of page.templates) {
        expect(template).toMatchObject({ type, is_approved: true, usage_count: 0 });
        expect(template.media_url === null).toBe(type !== "media");
      }
    }
    const { templates } = await api.get(`${ROOM}/templates`, ada).ok();
    expect(new Set(templates.map(({ title }) => title)).size).toBe(60);
    const links = templates.flatMap(({ media_type: type, media_url: url, thumbnail_url: thumbnail }) =>
      url === null ? [] : { type, url, thumbnail },
    );
    expect(links).toEqual(links.map(({ url }) => readMediaLink(url)));
    expect(new Set(links.map(({ url }) => url)).size).toBe(20);
  });

  it("is 400 for an unknown type", async () => {
    await api.get(`${ROOM}/templates?type=joke`, ada).invalid("type");
  });
});

describe("approving a template", () => {
  it("makes it visible and sendable until it is withdrawn", async () => {
    const draft = await create();
    const noMedia = { media_type: null, media_url: null, thumbnail_url: null };
    expect(draft).toMatchObject({ ...DRAFT, ...noMedia, is_approved: false, usage_count: 0 });
    const send = async () => (await sendTo(api, ada, bob, { template_id: draft.id })).status;
    // Admins see approved templates only in this list, too.
    expect([await listApproved(ada), await listApproved(admin)].flat()).not.toContain(draft.id);
    expect(await send()).toBe(404);

    await api.query`update nectar.drop_templates set updated_at = '2020-01-01' where id = ${draft.id}`;
    const approved = (await api.put(`${ADMIN_TEMPLATES}/${draft.id}`, admin, { is_approved: true })).body.template;
    expect(approved).toEqual({ ...draft, is_approved: true, updated_at: expect.any(String) });
    expect(approved.updated_at >= draft.updated_at).toBe(true);
    expect((await listApproved(ada, "&type=encouragement"))[0]).toBe(draft.id);
    expect(await send()).toBe(201);
    await api.put(`${ADMIN_TEMPLATES}/${draft.id}`, admin, { is_approved: false });
    expect(await listApproved(ada)).not.toContain(draft.id);
    expect(await send()).toBe(404);
  });

  it("can be done when it is created", async () => {
    const { id } = await create({ is_approved: true });
    expect(await listApproved(ada)).toContain(id);
  });
});

describe("GET /api/encouragement-drops/admin/templates", () => {
  it("lists all templates, newest first, or those of a type or approval", async () => {
    const draft = await create({ type: "science_tidbit", title: "Newest draft" });
    const list = async (query: string) => (await api.get(`${ADMIN_TEMPLATES}?limit=500${query}`, admin)).body.templates;
    const all = await list("");
    expect(all[0]).toEqual(draft);
    expect(all.length).toBeGreaterThan(60);
    for (const isApproved of [true, false]) {
      const expected = all.filter(({ is_approved }) => is_approved === isApproved);
      expect(await list(`&is_approved=${isApproved}`)).toEqual(expected);
    }
    expect(await list("&type=science_tidbit&is_approved=false")).toEqual([draft]);
    expect((await api.get(ADMIN_TEMPLATES, admin).ok()).templates).toHaveLength(50);
  });
});

describe("DELETE /api/encouragement-drops/admin/templates/:id", () => {
  it("deletes the template, but not the drops that were sent with it", async () => {
    const { id } = await create({ is_approved: true, title: "Short-lived", content: "But sent" });
    const carl = await api.person();
    const { drop } = (await sendTo(api, ada, carl, { template_id: id })).body;
    await api.delete(`${ADMIN_TEMPLATES}/${id}`, admin).ok();
    expect(await listApproved(ada)).not.toContain(id);
    expect((await api.get(`${ROOM}/received`, carl)).body.drops).toEqual([{ ...drop, template_id: null }]);
    expect(drop).toMatchObject({ title: "Short-lived", content: "But sent" });
  });
});
