import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const eve = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));
const scene = beforeTests(() => foundTeam(api, ada, [ben, root]));

const audienceOf = async (id: string) => (await api.get(`/api/journal/${id}/audience`, ada).ok()).audience;
const preview = async (fields: object) => (await api.post("/api/journal/audience-preview", ada, fields).ok()).audience;
const forTeam = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: scene.teamId });

describe("GET /api/journal/:id/audience", () => {
  it("says of each axis what is set, what applies, who that is, and why", async () => {
    const entry = await write(api, ada, { ...forTeam(), content_visibility: "public" });
    expect(await audienceOf(entry.id)).toEqual({
      metadata: {
        set: "team",
        effective: "team",
        inherited_from: null,
        team: { id: scene.teamId, name: "Comb" },
        organization: null,
        people: 1,
        approximate: false,
        reasons: ["explicit"],
      },
      content: {
        set: "public",
        effective: "public",
        inherited_from: null,
        team: null,
        organization: null,
        people: 1,
        approximate: false,
        reasons: ["explicit", "limited_by_metadata"],
      },
    });
  });

  it("names the notebook that an axis inherits from", async () => {
    const notebook = { name: "Diary", metadata_visibility: "org", content_visibility: "user", org_id: scene.orgId };
    const { id } = (await api.post("/api/notebooks", ada, notebook).created()).notebook;
    const entry = await write(api, ada, { notebook_id: id });
    expect(await audienceOf(entry.id)).toMatchObject({
      metadata: {
        inherited_from: { notebook_id: id, name: "Diary" },
        organization: { id: scene.orgId, name: "Hive" },
        people: 1,
        reasons: ["inherited_from_notebook"],
      },
      content: {
        inherited_from: { notebook_id: id },
        organization: null,
        people: 0,
        reasons: ["inherited_from_notebook"],
      },
    });
    await api.put(`/api/journal/${entry.id}`, ada, { inherit_visibility: false }).ok();
    expect(await audienceOf(entry.id)).toMatchObject({
      metadata: { inherited_from: null, people: 0, reasons: ["not_inherited"] },
    });
  });

  it("counts no synthetic users, who read nothing, and no super admins", async () => {
    const other = await foundTeam(api, ada, [ben, root]);
    const entry = await write(api, ada, { metadata_visibility: "team", team_id: other.teamId });
    await api.query`update nectar.profiles set is_ai = true where id = ${ben.id}`;
    expect((await audienceOf(entry.id)).metadata.people).toBe(0);
    await api.query`update nectar.profiles set is_ai = false where id = ${ben.id}`;
    expect((await audienceOf(entry.id)).metadata.people).toBe(1);
  });

  it("is for the author only, with the errors of an update", async () => {
    const entry = await write(api, ada, forTeam());
    const path = `/api/journal/${entry.id}/audience`;
    for (const suffix of ["", `/${ben.id}`] as const) {
      await api.get(`${path}${suffix}`, ben).refused(403, "journal.not_yours");
      await api.get(`${path}${suffix}`, root).refused(403, "journal.not_yours");
      await api.get(`${path}${suffix}`, eve).refused(404, "journal.not_found");
      await api.get(`/api/journal/${randomUUID()}/audience${suffix}`, ada).refused(404, "journal.not_found");
    }
    expect(await api.query`select from private.entry_reads where entry_id = ${entry.id}`).toEqual([]);
  });
});

describe("GET /api/journal/:id/audience/:userId", () => {
  it("says what someone of an organization of mine sees", async () => {
    const entry = await write(api, ada, { metadata_visibility: "org", org_id: scene.orgId });
    const sees = async (userId: string) =>
      (await api.get(`/api/journal/${entry.id}/audience/${userId}`, ada).ok()).sees;
    expect(await sees(ben.id)).toEqual({ metadata: true, content: false });
    expect(await sees(root.id)).toEqual({ metadata: true, content: false });
    expect(await sees(ada.id)).toEqual({ metadata: true, content: true });
  });

  it("does not tell that someone is a super admin", async () => {
    const entry = await write(api, ada);
    const { sees } = await api.get(`/api/journal/${entry.id}/audience/${root.id}`, ada).ok();
    expect(sees).toEqual({ metadata: false, content: false });
  });

  it("is the same 404 for everyone who shares no organization with me, whether they exist or not", async () => {
    const entry = await write(api, ada, { metadata_visibility: "public" });
    const stranger = await api.get(`/api/journal/${entry.id}/audience/${eve.id}`, ada).refused(404, "user.not_found");
    expect(await api.get(`/api/journal/${entry.id}/audience/${randomUUID()}`, ada).refused(404)).toEqual(stranger);
  });
});

describe("POST /api/journal/audience-preview", () => {
  it("says who would see a new entry, which is private by default", async () => {
    expect(await preview({})).toMatchObject({
      metadata: { set: "user", effective: "user", people: 0, reasons: ["private"] },
      content: { reasons: ["private"] },
    });
    expect(await preview({ metadata_visibility: "public", content_visibility: "public" })).toMatchObject({
      metadata: { people: null, reasons: ["explicit", "public"] },
      content: { people: null, reasons: ["explicit", "public"] },
    });
  });

  it("says who would see an entry after an update, in which missing fields are unchanged", async () => {
    const entry = await write(api, ada, forTeam());
    const before = await audienceOf(entry.id);
    expect(await preview({ entry_id: entry.id })).toEqual(before);
    const changed = await preview({ entry_id: entry.id, content_visibility: null });
    expect(changed.metadata).toEqual(before.metadata);
    expect(changed.content).toMatchObject({ set: "user", people: 0 });
    expect(await audienceOf(entry.id)).toEqual(before);
  });

  it("fails with the errors of writing", async () => {
    const path = "/api/journal/audience-preview";
    const entry = await write(api, ada, forTeam());
    await api.post(path, ada, { metadata_visibility: "team" }).refused(400, "visibility.missing_team");
    await api.post(path, ada, { entry_id: entry.id, team_id: null }).refused(400, "visibility.missing_team");
    await api
      .post(path, ada, { metadata_visibility: "all", team_id: 5, entry_id: 5 })
      .invalid("metadata_visibility", "team_id", "entry_id");
    const invalid = { notebook_id: 5, metadata_visibility: "org" };
    await api.post(path, ada, invalid).invalid("notebook_id", "org_id");
    await api.post(path, ada, { ...invalid, entry_id: entry.id }).invalid("notebook_id", "org_id");
    await api.post(path, ada, { ...invalid, entry_id: entry.id, metadata_visibility: "team" }).invalid("notebook_id");
    await api.post(path, ada, { notebook_id: randomUUID() }).refused(404, "notebook.not_found");
    await api.post(path, ada, { team_id: randomUUID() }).refused(404, "team.not_found");
    await api.post(path, eve, forTeam()).refused(403, "visibility.not_a_member");
    await api.post(path, ben, { entry_id: entry.id }).refused(403, "journal.not_yours");
    await api.post(path, root, { entry_id: entry.id }).refused(403, "journal.not_yours");
    await api.post(path, eve, { entry_id: entry.id }).refused(404, "journal.not_found");
  });

  it("lets no one use the notebook of someone else", async () => {
    const { id } = (await api.post("/api/notebooks", ada, { name: "Mine", metadata_visibility: "public" }).created())
      .notebook;
    await api.post("/api/journal/audience-preview", ben, { notebook_id: id }).refused(404, "notebook.not_found");
  });
});

describe("previews", () => {
  it("change nothing, store no response, and are open to suspended people", async () => {
    const person = await api.person();
    const { id } = (await api.post("/api/notebooks", person, { name: "Diary" }).created()).notebook;
    const entry = await write(api, person, { notebook_id: id });
    await api.query`select private.suspend_user(${person.id}, '2999-01-01T00:00Z')`;
    const rows = () => api.one`
      select (select to_json(e) from nectar.journal_entries e where e.id = ${entry.id}) as entry,
        (select to_json(n) from nectar.notebooks n where n.id = ${id}) as notebook,
        (select count(*) from private.idempotency_keys where user_id = ${person.id}) as responses`;
    const before = await rows();
    const change = { metadata_visibility: "public", content_visibility: "public" };
    const key = { "idempotency-key": randomUUID() };
    for (let n = 0; n < 2; n += 1) {
      await api.post("/api/journal/audience-preview", person, { entry_id: entry.id, ...change }, key).ok();
      await api.post(`/api/notebooks/${id}/audience-preview`, person, change, key).ok();
    }
    expect(await rows()).toEqual(before);
  });
});
