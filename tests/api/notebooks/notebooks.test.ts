import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const scene = beforeTests(() => foundTeam(api, ada, [ben]));

const path = (id: string) => `/api/notebooks/${id}` as const;
const read = async (id: string, as = ada) => (await api.get(path(id), as).ok()).notebook;
const change = async (id: string, fields: object) => (await api.put(path(id), ada, fields).ok()).notebook;
async function start(author: Person, fields: Record<string, unknown> = {}) {
  return (await api.post("/api/notebooks", author, { name: "Notebook", ...fields }).created()).notebook;
}

describe("POST /api/notebooks", () => {
  it("creates a private notebook and returns it", async () => {
    const notebook = await start(ada, { name: " Travels ", description: "" });
    expect(notebook).toMatchObject({
      ...{ user_id: ada.id, name: "Travels", description: null, template: null, entry_count: 0 },
      ...{ metadata_visibility: "user", content_visibility: "user", team_id: null, org_id: null },
      ...{ ai_excluded_default: false, content_hidden: false },
    });
    expect(await read(notebook.id)).toEqual(notebook);
  });

  it("refuses team visibility without a team", async () => {
    await api.post("/api/notebooks", ada, { name: "N", content_visibility: "team" }).refused(400);
  });

  it("shares only with an organization that the caller is in", async () => {
    const share = { name: "N", metadata_visibility: "org", org_id: scene.orgId };
    await api.post("/api/notebooks", await api.person(), share).refused(403, "visibility.not_a_member");
  });
});

describe("entries in a notebook", () => {
  it("inherit its visibility, follow its changes, and are counted for each reader", async () => {
    const notebook = await start(ada, { metadata_visibility: "team", team_id: scene.teamId });
    const inherits = await write(api, ada, { title: "inherits", notebook_id: notebook.id });
    const own = await write(api, ada, { title: "own way", notebook_id: notebook.id, inherit_visibility: false });
    expect(inherits).toMatchObject({ effective_metadata_visibility: "team", effective_content_visibility: "user" });
    expect(own.effective_metadata_visibility).toBe("user");
    const expectCounts = async (ofAda: number, ofBen: number) => {
      const counts = [(await read(notebook.id)).entry_count, (await read(notebook.id, ben)).entry_count];
      expect(counts).toEqual([ofAda, ofBen]);
    };
    await expectCounts(2, 1);
    await api.query`insert into nectar.journal_entries (user_id, notebook_id, title, inherit_visibility)
      select ${ada.id}, ${notebook.id}, 'one of many', n > 990 from generate_series(1, 2000) n`;
    await expectCounts(1000, 1000);
    await api.query`delete from nectar.journal_entries where title = 'one of many' and inherit_visibility`;
    await expectCounts(992, 1);
    await api.query`delete from nectar.journal_entries where title = 'one of many'`;

    const { entries } = await api.get(`/api/notebooks/${notebook.id}/entries`, ben).ok();
    expect(entries).toMatchObject([{ title: "inherits", content: null, content_hidden: true }]);
    await change(notebook.id, { content_visibility: "team" });
    expect((await api.get(`/api/journal/${inherits.id}`, ben).ok()).entry.content).toBe("Content");
    await change(notebook.id, { metadata_visibility: null });
    await api.get(`/api/journal/${inherits.id}`, ben).refused(404);
    await api.get(`/api/notebooks/${notebook.id}/entries`, ben).refused(404);
  });

  it("are listed newest first", async () => {
    const { id: notebook_id } = await start(ada);
    for (const title of ["1", "2", "3"]) await write(api, ada, { title, notebook_id });
    const { entries } = await api.get(`/api/notebooks/${notebook_id}/entries`, ada).ok();
    expect(entries.map(({ title }) => title)).toEqual(["3", "2", "1"]);
  });
});

describe("PUT /api/notebooks/:id", () => {
  it("changes the fields of the request and nothing else", async () => {
    const notebook = await start(ada, { description: "Old" });
    const renamed = await change(notebook.id, { name: "New" });
    expect(renamed).toEqual({ ...notebook, name: "New", updated_at: renamed.updated_at });
    expect((await change(notebook.id, { description: null })).description).toBeNull();
  });

  it("is 404 for a hidden notebook, 403 for a visible one of another user, and changes nothing", async () => {
    const hidden = await start(ada);
    const visible = await start(ada, { metadata_visibility: "public" });
    for (const [notebook, status] of [
      [hidden, 404],
      [visible, 403],
    ] as const) {
      await api.put(path(notebook.id), ben, { name: "Mine" }).refused(status);
      await api.delete(path(notebook.id), ben).refused(status);
      expect(await read(notebook.id)).toEqual(notebook);
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
    expect((await api.delete(path(notebook.id), ada).ok()).entries_detached).toBe(1);
    const { entry: kept } = await api.get(`/api/journal/${entry.id}`, ada).ok();
    expect(kept).toMatchObject({ notebook_id: null, effective_metadata_visibility: "user" });
    await api.get(`/api/journal/${entry.id}`, ben).refused(404);
    await api.delete(path(notebook.id), ada).refused(404);
  });
});

describe("GET /api/notebooks", () => {
  it("lists the notebooks that the caller may see, newest first, by scope", async () => {
    const [dora, emil] = [await api.person(), await api.person()];
    const { teamId } = await foundTeam(api, dora, [emil]);
    await start(dora, { name: "own" });
    await start(dora, { name: "for the team", metadata_visibility: "team", team_id: teamId });
    const names = async (query: string, as: Person) =>
      (await api.get(`/api/notebooks?${query}`, as).ok()).notebooks.map((notebook) => notebook.name);
    expect(await names("scope=own", dora)).toEqual(["for the team", "own"]);
    expect(await names("scope=shared", emil)).toEqual(["for the team"]);
    expect(await names("scope=own", emil)).toEqual([]);
  });
});

describe("a template", () => {
  const readBy = async (person: Person, id: string) => {
    const { notebook } = await api.get(path(id), person).ok();
    const { notebooks } = await api.get("/api/notebooks", person).ok();
    expect(notebooks).toContainEqual(notebook);
    return [notebook.template, notebook.content_hidden];
  };

  it("is stored with its blanks, replaced, and removed by an empty one", async () => {
    const { id, template } = await start(ada, { template: "\n- What was good?\n\n" });
    expect(template).toBe("\n- What was good?\n\n");
    expect((await change(id, { name: "Renamed" })).template).toBe(template);
    expect((await change(id, { template: " " })).template).toBe(" ");
    expect((await change(id, { template: "" })).template).toBeNull();
    await change(id, { template: "Again" });
    expect((await change(id, { template: null })).template).toBeNull();
    expect(await readBy(ada, id)).toEqual([null, false]);
  });

  it("may have 10,000 characters, and belongs to the author", async () => {
    const { id, updated_at } = await start(ada, { template: "é".repeat(10_000), metadata_visibility: "public" });
    await api.put(path(id), ben, { template: "Theirs" }).refused(403, "notebook.not_yours");
    expect((await read(id)).updated_at).toBe(updated_at);
    const notebook = await change(id, { template: "Mine" });
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
