import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const scene = beforeTests(() => foundTeam(api, ada, [ben]));

async function start(author: Person, fields: Record<string, unknown> = {}) {
  const body = await api.post("/api/notebooks", author, { name: "Notebook", ...fields }).created();
  return body.notebook;
}

describe("POST /api/notebooks", () => {
  it("creates a private notebook and returns it", async () => {
    const notebook = await start(ada, { name: " Travels ", description: "" });
    expect(notebook).toMatchObject({
      user_id: ada.id,
      name: "Travels",
      description: null,
      metadata_visibility: "user",
      content_visibility: "user",
      team_id: null,
      org_id: null,
      ai_excluded_default: false,
      template: null,
      content_hidden: false,
      entry_count: 0,
    });
    expect((await api.get(`/api/notebooks/${notebook.id}`, ada)).body.notebook).toEqual(notebook);
  });

  it.each([
    ["no name", { name: undefined }],
    ["a blank name", { name: "  " }],
    ["a name of 101", { name: "x".repeat(101) }],
    ["a description of 1,001", { description: "x".repeat(1001) }],
    ["an unknown visibility", { metadata_visibility: "friends" }],
    ["team visibility without a team", { content_visibility: "team" }],
  ])("refuses %s", async (_, fields) => {
    await api.post("/api/notebooks", ada, { name: "N", ...fields }).refused(400);
  });

  it("shares only with groups that exist and that the caller is in", async () => {
    const stranger = await api.person();
    const share = { name: "N", metadata_visibility: "team", team_id: scene.teamId };
    await api.post("/api/notebooks", stranger, share).refused(403, "visibility.not_a_member");
    await api.post("/api/notebooks", ada, { ...share, team_id: randomUUID() }).refused(404, "team.not_found");
    const orgShare = { name: "N", metadata_visibility: "org", org_id: randomUUID() };
    await api.post("/api/notebooks", ada, orgShare).refused(404, "organization.not_found");
    await api.post("/api/notebooks", stranger, { ...orgShare, org_id: scene.orgId }).refused(403);
  });
});

describe("entries in a notebook", () => {
  it("inherit its visibility, follow its changes, and are counted for each reader", async () => {
    const notebook = await start(ada, { metadata_visibility: "team", team_id: scene.teamId });
    const inherits = await write(api, ada, { title: "inherits", notebook_id: notebook.id });
    const own = await write(api, ada, { title: "own way", notebook_id: notebook.id, inherit_visibility: false });
    expect(inherits).toMatchObject({ effective_metadata_visibility: "team", effective_content_visibility: "user" });
    expect(own.effective_metadata_visibility).toBe("user");
    expect((await api.get(`/api/notebooks/${notebook.id}`, ada)).body.notebook.entry_count).toBe(2);
    expect((await api.get(`/api/notebooks/${notebook.id}`, ben)).body.notebook.entry_count).toBe(1);

    await api.query`insert into nectar.journal_entries (user_id, notebook_id, title, inherit_visibility)
      select ${ada.id}, ${notebook.id}, 'one of many', n > 990 from generate_series(1, 2000) n`;
    expect((await api.get(`/api/notebooks/${notebook.id}`, ada)).body.notebook.entry_count).toBe(1000);
    expect((await api.get(`/api/notebooks/${notebook.id}`, ben)).body.notebook.entry_count).toBe(1000);
    await api.query`delete from nectar.journal_entries where title = 'one of many' and inherit_visibility`;
    expect((await api.get(`/api/notebooks/${notebook.id}`, ada)).body.notebook.entry_count).toBe(992);
    expect((await api.get(`/api/notebooks/${notebook.id}`, ben)).body.notebook.entry_count).toBe(1);
    await api.query`delete from nectar.journal_entries where title = 'one of many'`;

    const seen = await api.get(`/api/notebooks/${notebook.id}/entries`, ben);
    expect(seen.body.entries).toMatchObject([{ title: "inherits", content: null, content_hidden: true }]);

    await api.put(`/api/notebooks/${notebook.id}`, ada, { content_visibility: "team" });
    expect((await api.get(`/api/journal/${inherits.id}`, ben)).body.entry.content).toBe("Content");
    await api.put(`/api/notebooks/${notebook.id}`, ada, { metadata_visibility: null });
    await api.get(`/api/journal/${inherits.id}`, ben).refused(404);
    await api.get(`/api/notebooks/${notebook.id}/entries`, ben).refused(404);
  });

  it("are paged", async () => {
    const notebook = await start(ada);
    for (const title of ["1", "2", "3"]) await write(api, ada, { title, notebook_id: notebook.id });
    const first = (await api.get(`/api/notebooks/${notebook.id}/entries?limit=2`, ada)).body;
    const second = (await api.get(`/api/notebooks/${notebook.id}/entries?limit=2&cursor=${first.next_cursor}`, ada))
      .body;
    expect([...first.entries, ...second.entries].map((entry) => entry.title)).toEqual(["3", "2", "1"]);
    expect(second.next_cursor).toBeNull();
  });
});

describe("PUT /api/notebooks/:id", () => {
  it("changes the fields of the request and nothing else", async () => {
    const notebook = await start(ada, { description: "Old" });
    const body = await api.put(`/api/notebooks/${notebook.id}`, ada, { name: "New" }).ok();
    expect(body.notebook).toEqual({ ...notebook, name: "New", updated_at: body.notebook.updated_at });
    expect((await api.put(`/api/notebooks/${notebook.id}`, ada, { description: null })).body.notebook.description).toBe(
      null,
    );
    await api.put(`/api/notebooks/${notebook.id}`, ada, {}).refused(400);
  });

  it("is 404 for a hidden notebook, 403 for a visible one of another user, and changes nothing", async () => {
    const hidden = await start(ada);
    const visible = await start(ada, { metadata_visibility: "public" });
    for (const [notebook, status] of [
      [hidden, 404],
      [visible, 403],
    ] as const) {
      expect((await api.put(`/api/notebooks/${notebook.id}`, ben, { name: "Mine" })).status).toBe(status);
      expect((await api.delete(`/api/notebooks/${notebook.id}`, ben)).status).toBe(status);
      expect((await api.get(`/api/notebooks/${notebook.id}`, ada)).body.notebook).toEqual(notebook);
    }
  });

  it("of another field does not fail because the author has left the team", async () => {
    const cleo = await api.person();
    const { teamId } = await foundTeam(api, ada, [cleo]);
    const notebook = await start(cleo, { metadata_visibility: "team", team_id: teamId });
    await api.delete(`/api/teams/${teamId}/members/${cleo.id}`, cleo);
    await api.put(`/api/notebooks/${notebook.id}`, cleo, { name: "Still mine" }).ok();
    await api.put(`/api/notebooks/${notebook.id}`, cleo, { content_visibility: "team" }).refused(403);
  });
});

describe("DELETE /api/notebooks/:id", () => {
  it("keeps its entries, which become private", async () => {
    const notebook = await start(ada, { metadata_visibility: "public", content_visibility: "public" });
    const entry = await write(api, ada, { notebook_id: notebook.id });
    await api.get(`/api/journal/${entry.id}`, ben).ok();
    const body = await api.delete(`/api/notebooks/${notebook.id}`, ada).ok();
    expect(body.entries_detached).toBe(1);
    expect((await api.get(`/api/journal/${entry.id}`, ada)).body.entry).toMatchObject({
      notebook_id: null,
      effective_metadata_visibility: "user",
    });
    await api.get(`/api/journal/${entry.id}`, ben).refused(404);
    await api.delete(`/api/notebooks/${notebook.id}`, ada).refused(404);
  });
});

describe("GET /api/notebooks", () => {
  it("lists the notebooks that the caller may see, by scope and page", async () => {
    const [dora, emil] = [await api.person(), await api.person()];
    const { teamId } = await foundTeam(api, dora, [emil]);
    await start(dora, { name: "own" });
    await start(dora, { name: "for the team", metadata_visibility: "team", team_id: teamId });
    const names = async (query: string, as: Person) =>
      (await api.get(`/api/notebooks?${query}`, as)).body.notebooks.map((notebook) => notebook.name);
    expect(await names("scope=own", dora)).toEqual(["for the team", "own"]);
    expect(await names("scope=shared", emil)).toEqual(["for the team"]);
    expect(await names("scope=own", emil)).toEqual([]);
    const first = (await api.get("/api/notebooks?scope=own&limit=1", dora)).body;
    expect(await names(`scope=own&limit=1&cursor=${first.next_cursor}`, dora)).toEqual(["own"]);
  });
});

describe("a template", () => {
  const path = (id: string) => `/api/notebooks/${id}` as const;
  const readBy = async (person: Person, id: string) => {
    const { notebook } = await api.get(path(id), person).ok();
    const { notebooks } = await api.get("/api/notebooks", person).ok();
    expect(notebooks).toContainEqual(notebook);
    return [notebook.template, notebook.content_hidden];
  };

  it("is stored with its blanks, replaced, and removed by an empty one", async () => {
    const { id, template } = await start(ada, { template: "\n- What was good?\n\n" });
    expect(template).toBe("\n- What was good?\n\n");
    expect((await api.put(path(id), ada, { name: "Renamed" }).ok()).notebook.template).toBe(template);
    expect((await api.put(path(id), ada, { template: " " }).ok()).notebook).toMatchObject({ template: " " });
    expect((await api.put(path(id), ada, { template: "" }).ok()).notebook.template).toBeNull();
    await api.put(path(id), ada, { template: "Again" }).ok();
    expect((await api.put(path(id), ada, { template: null }).ok()).notebook.template).toBeNull();
    expect(await readBy(ada, id)).toEqual([null, false]);
  });

  it("has at most 10,000 characters, and belongs to the author", async () => {
    const { id, updated_at } = await start(ada, { template: "é".repeat(10_000), metadata_visibility: "public" });
    await api.put(path(id), ada, { template: "x".repeat(10_001) }).invalid("template");
    await api.post("/api/notebooks", ada, { name: "N", template: 1 }).invalid("template");
    await api.put(path(id), ben, { template: "Theirs" }).refused(403, "notebook.not_yours");
    expect((await api.get(path(id), ada).ok()).notebook.updated_at).toBe(updated_at);
    const { notebook } = await api.put(path(id), ada, { template: "Mine" }).ok();
    expect(Date.parse(notebook.updated_at)).toBeGreaterThan(Date.parse(updated_at));
  });

  it("is seen by those who see the content, and by super admins only if it is shared with them", async () => {
    const { id } = await start(ada, { template: "Mine", metadata_visibility: "team", team_id: scene.teamId });
    const root = await api.person({ role: "super_admin" });
    expect(await readBy(ada, id)).toEqual(["Mine", false]);
    expect(await readBy(ben, id)).toEqual([null, true]);
    await api.put(path(id), ada, { content_visibility: "team" }).ok();
    expect(await readBy(ben, id)).toEqual(["Mine", false]);
    expect((await api.get(path(id), root).ok()).notebook).toMatchObject({ template: null, content_hidden: true });
    await api.put(path(id), ada, { metadata_visibility: "public", content_visibility: "user" }).ok();
    expect(await readBy(ben, id)).toEqual([null, true]);
    await api.put(path(id), ada, { content_visibility: "public" }).ok();
    expect(await readBy(root, id)).toEqual(["Mine", false]);
  });

  it("is hidden from a member who leaves, and shown again", async () => {
    const cleo = await api.person();
    const shared = { metadata_visibility: "team", content_visibility: "team", team_id: scene.teamId };
    const { id } = await start(ada, { template: "Mine", ...shared });
    await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: cleo.id }).created();
    await api.post(`/api/teams/${scene.teamId}/members`, ada, { user_id: cleo.id }).created();
    expect(await readBy(cleo, id)).toEqual(["Mine", false]);
    await api.delete(`/api/teams/${scene.teamId}/members/${cleo.id}`, cleo).ok();
    await api.get(path(id), cleo).refused(404, "notebook.not_found");
  });
});
