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

const PREVIEW = "/api/journal/audience-preview";
const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };
const audienceOf = async (id: string) => (await api.get(`/api/journal/${id}/audience`, ada).ok()).audience;
const seenBy = (id: string, userId: string) => api.get(`/api/journal/${id}/audience/${userId}`, ada);
const preview = async (fields: object) => (await api.post(PREVIEW, ada, fields).ok()).audience;
const forTeam = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: scene.teamId });
const makeNotebook = async (fields: object, as = ada) =>
  (await api.post("/api/notebooks", as, { name: "Diary", ...fields }).created()).notebook.id;

describe("GET /api/journal/:id/audience", () => {
  it("says of each axis what is set, what applies, who that is, and why", async () => {
    const entry = await write(api, ada, { ...forTeam(), content_visibility: "public" });
    const both = { inherited_from: null, organization: null, people: 1, approximate: false };
    const team = { id: scene.teamId, name: "Comb" };
    expect(await audienceOf(entry.id)).toEqual({
      metadata: { ...both, set: "team", effective: "team", team, reasons: ["explicit"] },
      content: {
        ...both,
        set: "public",
        effective: "public",
        team: null,
        reasons: ["explicit", "limited_by_metadata"],
      },
    });
  });

  it("names the notebook that an axis inherits from", async () => {
    const org_id = scene.orgId;
    const notebook_id = await makeNotebook({ metadata_visibility: "org", content_visibility: "user", org_id });
    const entry = await write(api, ada, { notebook_id });
    const inherited = { inherited_from: { notebook_id, name: "Diary" }, reasons: ["inherited_from_notebook"] };
    expect(await audienceOf(entry.id)).toMatchObject({
      metadata: { ...inherited, organization: { id: org_id, name: "Hive" }, people: 1 },
      content: { ...inherited, organization: null, people: 0 },
    });
    await api.put(`/api/journal/${entry.id}`, ada, { inherit_visibility: false }).ok();
    const { metadata } = await audienceOf(entry.id);
    expect(metadata).toMatchObject({ inherited_from: null, people: 0, reasons: ["not_inherited"] });
  });

  it("counts no synthetic users, who read nothing, and no super admins", async () => {
    const { teamId: team_id } = await foundTeam(api, ada, [ben, root]);
    const entry = await write(api, ada, { metadata_visibility: "team", team_id });
    for (const [isAi, people] of [
      [true, 0],
      [false, 1],
    ]) {
      await api.query`update nectar.profiles set is_ai = ${isAi} where id = ${ben.id}`;
      expect((await audienceOf(entry.id)).metadata.people).toBe(people);
    }
  });

  it("is for the author only, with the errors of an update", async () => {
    const entry = await write(api, ada, forTeam());
    for (const suffix of ["", `/${ben.id}`] as const) {
      const path = `/api/journal/${entry.id}/audience${suffix}` as const;
      for (const reader of [ben, root]) await api.get(path, reader).refused(403, "journal.not_yours");
      await api.get(path, eve).refused(404, "journal.not_found");
      await api.get(`/api/journal/${randomUUID()}/audience${suffix}`, ada).refused(404, "journal.not_found");
    }
    expect(await api.query`select from private.logged_reads where entry_id = ${entry.id}`).toEqual([]);
  });
});

describe("GET /api/journal/:id/audience/:userId", () => {
  it("says what someone of an organization of mine sees, and does not tell that someone is a super admin", async () => {
    const { id } = await write(api, ada, { metadata_visibility: "org", org_id: scene.orgId });
    for (const { id: userId } of [ben, root]) {
      expect((await seenBy(id, userId).ok()).sees).toEqual({ metadata: true, content: false });
    }
    expect((await seenBy(id, ada.id).ok()).sees).toEqual({ metadata: true, content: true });
    const hidden = await write(api, ada);
    expect((await seenBy(hidden.id, root.id).ok()).sees).toEqual({ metadata: false, content: false });
  });

  it("is the same 404 for everyone who shares no organization with me, whether they exist or not", async () => {
    const { id } = await write(api, ada, { metadata_visibility: "public" });
    const stranger = await seenBy(id, eve.id).refused(404, "user.not_found");
    expect(await seenBy(id, randomUUID()).refused(404)).toEqual(stranger);
  });
});

describe(`POST ${PREVIEW}`, () => {
  it("says who would see a new entry, which is private by default", async () => {
    expect(await preview({})).toMatchObject({
      metadata: { set: "user", effective: "user", people: 0, reasons: ["private"] },
      content: { reasons: ["private"] },
    });
    const everyone = { people: null, reasons: ["explicit", "public"] };
    expect(await preview(PUBLIC)).toMatchObject({ metadata: everyone, content: everyone });
  });

  it("says who would see an entry after an update, in which missing fields are unchanged", async () => {
    const { id: entry_id } = await write(api, ada, forTeam());
    const before = await audienceOf(entry_id);
    expect(await preview({ entry_id })).toEqual(before);
    const changed = await preview({ entry_id, content_visibility: null });
    expect(changed.metadata).toEqual(before.metadata);
    expect(changed.content).toMatchObject({ set: "user", people: 0 });
    expect(await audienceOf(entry_id)).toEqual(before);
  });

  // What a new entry and an update have in common is refused in sharing.test.ts.
  it("fails with the errors of writing", async () => {
    const { id: entry_id } = await write(api, ada, forTeam());
    await api.post(PREVIEW, ada, { entry_id, team_id: null }).refused(400, "visibility.missing_team");
    const invalid = { notebook_id: 5, metadata_visibility: "org" };
    await api.post(PREVIEW, ada, invalid).invalid("notebook_id", "org_id");
    await api.post(PREVIEW, ada, { ...invalid, entry_id }).invalid("notebook_id", "org_id");
    await api.post(PREVIEW, ada, { ...invalid, entry_id, metadata_visibility: "team" }).invalid("notebook_id");
    const allInvalid = { metadata_visibility: "all", team_id: 5, entry_id: 5 };
    await api.post(PREVIEW, ada, allInvalid).invalid("metadata_visibility", "team_id", "entry_id");
    await api.post(PREVIEW, ada, { team_id: randomUUID() }).refused(404, "team.not_found");
    await api.post(PREVIEW, eve, forTeam()).refused(403, "visibility.not_a_member");
    for (const reader of [ben, root]) await api.post(PREVIEW, reader, { entry_id }).refused(403, "journal.not_yours");
    await api.post(PREVIEW, eve, { entry_id }).refused(404, "journal.not_found");
    const ofAda = await makeNotebook({ metadata_visibility: "public" });
    for (const notebook_id of [randomUUID(), ofAda]) {
      await api.post(PREVIEW, ben, { notebook_id }).refused(404, "notebook.not_found");
    }
  });

  it("changes nothing, stores no response, and is open to suspended people, and so is that of a notebook", async () => {
    const person = await api.person();
    const notebook_id = await makeNotebook({}, person);
    const { id: entry_id } = await write(api, person, { notebook_id });
    await api.query`select private.suspend_user(${person.id}, '2999-01-01T00:00Z')`;
    const rows = () => api.one`
      select (select to_json(e) from nectar.journal_entries e where e.id = ${entry_id}) as entry,
        (select to_json(n) from nectar.notebooks n where n.id = ${notebook_id}) as notebook,
        (select count(*) from private.idempotency_keys where user_id = ${person.id}) as responses`;
    const before = await rows();
    const key = { "idempotency-key": randomUUID() };
    for (let n = 0; n < 2; n += 1) {
      await api.post(PREVIEW, person, { entry_id, ...PUBLIC }, key).ok();
      await api.post(`/api/notebooks/${notebook_id}/audience-preview`, person, PUBLIC, key).ok();
    }
    expect(await rows()).toEqual(before);
  });
});
