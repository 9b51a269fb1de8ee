import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const scene = beforeTests(() => foundTeam(api, ada));
const foreign = beforeTests(async () => foundTeam(api, await api.person()));

const TEAM = { path: "team_id", message: "is required when a visibility is 'team'" };
const ORG = { path: "org_id", message: "is required when a visibility is 'org'" };

const KINDS = [
  {
    name: "entries",
    path: "/api/journal",
    body: { title: "T", content: "C" },
    invalid: { title: "" },
    preview: (id: string): [string, object] => ["/api/journal/audience-preview", { entry_id: id }],
  },
  {
    name: "notebooks",
    path: "/api/notebooks",
    body: { name: "N" },
    invalid: { name: "" },
    preview: (id: string): [string, object] => [`/api/notebooks/${id}/audience-preview`, {}],
  },
  {
    name: "goals",
    path: "/api/goals",
    body: { title: "T" },
    invalid: { title: "" },
    preview: (id: string): [string, object] => ["/api/goals/audience-preview", { goal_id: id }],
  },
] as const;

const sharedIn = <Entry, Notebook, Goal>(body: { entry: Entry } | { notebook: Notebook } | { goal: Goal }) =>
  "entry" in body ? body.entry : "goal" in body ? body.goal : body.notebook;

describe.each(KINDS)("sharing $name", ({ path, body, invalid, preview }) => {
  const create = (fields: object) => api.post(path, ada, { ...body, ...fields });
  const created = async (fields: object) => sharedIn(await create(fields).created());
  const change = (id: string, fields: object) => api.put(`${path}/${id}`, ada, fields);
  const problems = Object.keys(invalid);

  it("reports all problems of a new one at once, with those of the rest of the body", async () => {
    const both = { metadata_visibility: "team", content_visibility: "org" };
    expect((await create(both).refused(400, "visibility.missing_team")).issues).toEqual([TEAM, ORG]);
    const organization = create({ content_visibility: "org", team_id: scene.teamId });
    expect((await organization.refused(400, "visibility.missing_organization")).issues).toEqual([ORG]);
    const mixed = await create({ ...both, ...invalid, org_id: 5 }).invalid(...problems, "org_id", "team_id");
    expect(mixed.issues).toContainEqual(TEAM);
  });

  it.each([
    [400, "visibility.missing_team", () => ({ metadata_visibility: "team" })],
    [400, "visibility.missing_organization", () => ({ content_visibility: "org" })],
    [403, "visibility.not_a_member", () => ({ metadata_visibility: "team", team_id: foreign.teamId })],
    [404, "team.not_found", () => ({ metadata_visibility: "team", team_id: randomUUID() })],
    [404, "organization.not_found", () => ({ metadata_visibility: "org", org_id: randomUUID() })],
  ] as const)("is refused alike by a new one, an update and a preview: %i %s", async (status, code, fields) => {
    const { id } = await created({});
    const [previewPath, previewed] = preview(id);
    await create(fields()).refused(status, code);
    await change(id, fields()).refused(status, code);
    await api.send("POST", previewPath, { as: ada, body: { ...previewed, ...fields() } }).refused(status, code);
  });

  it("reports sharing problems of the record as it would be together with those of the body", async () => {
    const plain = await created({});
    const levels = { metadata_visibility: "team", content_visibility: "org" };
    const issuesOf = async (id: string, fields: object) =>
      (await change(id, { ...invalid, ...fields }).refused(400, "request.invalid")).issues;
    expect(await issuesOf(plain.id, levels)).toEqual([expect.objectContaining({ path: problems[0] }), TEAM, ORG]);
    expect(await issuesOf(plain.id, { ...levels, org_id: 5 })).toHaveLength(3);
    const teamMissing = await issuesOf(plain.id, { metadata_visibility: "team", team_id: null });
    expect(teamMissing).toEqual([expect.objectContaining({ path: problems[0] }), TEAM]);
    // The ids of the record count, even if the body does not contain them.
    const shared = await created({ ...levels, team_id: scene.teamId, org_id: scene.orgId });
    expect(await issuesOf(shared.id, levels)).toHaveLength(1);
    expect(await issuesOf(shared.id, { team_id: null })).toContainEqual(TEAM);
    // Nothing is said of what is not the caller's.
    const stranger = await api.person();
    await api.put(`${path}/${plain.id}`, stranger, { ...invalid, ...levels }).invalid(...problems);
  });

  it("checks the record as it would be after an update, and reports all problems at once", async () => {
    const levels = { metadata_visibility: "org", content_visibility: "team" };
    const shared = await created({
      metadata_visibility: "team",
      content_visibility: "org",
      team_id: scene.teamId,
      org_id: scene.orgId,
    });
    const plain = await created({});
    for (const [record, fields] of [
      [shared, { team_id: null, org_id: null }],
      [plain, levels],
    ] as const) {
      const { issues } = await change(record.id, fields).refused(400, "visibility.missing_team");
      expect(issues).toEqual([TEAM, ORG]);
      expect(sharedIn(await api.get(`${path}/${record.id}`, ada).ok())).toMatchObject(record);
    }
    expect(sharedIn(await change(shared.id, levels).ok())).toMatchObject(levels);
  });

  it("treats an empty visibility as 'user'", async () => {
    const empty = { metadata_visibility: "", content_visibility: "" };
    const user = { metadata_visibility: "user", content_visibility: "user" };
    expect(await created(empty)).toMatchObject(user);
    const shared = await created({ metadata_visibility: "public", content_visibility: "public" });
    expect(sharedIn(await change(shared.id, empty).ok())).toMatchObject(user);
  });
});
