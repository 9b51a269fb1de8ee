import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));
const scene = beforeTests(() => foundTeam(api, ada, [ben]));

const METADATA = () => ({ metadata_visibility: "team", team_id: scene.teamId });
const ALL = () => ({ ...METADATA(), content_visibility: "team" });
const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };

/** A goal of Ada's with a check-in. */
async function goalWith(fields: object = {}) {
  const body = { title: "Run", description: "In spring", ...fields };
  const { goal } = await api.post("/api/goals", ada, body).created();
  await api.post(`/api/goals/${goal.id}/check-ins`, ada, { status: "partial", notes: "5 km" }).created();
  return goal;
}
const read = async (id: string, as: Person) => (await api.get(`/api/goals/${id}`, as).ok()).goal;
const idsOf = async (as: Person, query: string) =>
  (await api.get(`/api/goals?${query}`, as).ok()).goals.map(({ id }) => id);

it("a goal is private until its owner shares it", async () => {
  const goal = await goalWith();
  expect(goal).toMatchObject({
    ...{ metadata_visibility: "user", content_visibility: "user", team_id: null, org_id: null },
    ...{ effective_metadata_visibility: "user", effective_content_visibility: "user" },
    ...{ user: { id: ada.id, is_ai: false }, content_hidden: false, moderation: null },
  });
  await api.get(`/api/goals/${goal.id}`, ben).refused(404, "goal.not_found");
  await api.put(`/api/goals/${goal.id}`, ada, METADATA()).ok();
  const seen = await read(goal.id, ben);
  expect(seen).toMatchObject({ title: "Run", user: { id: ada.id }, description: null, content_hidden: true });
  expect(seen.check_ins).toMatchObject([{ status: "partial", notes: null }]);
  await api.put(`/api/goals/${goal.id}`, ada, ALL()).ok();
  expect(await read(goal.id, ben)).toMatchObject({
    ...{ description: "In spring", content_hidden: false, check_ins: [{ notes: "5 km" }] },
    ...{ effective_metadata_visibility: "team", effective_content_visibility: "team" },
  });
  const { check_ins } = await api.get(`/api/goals/${goal.id}/check-ins`, ben).ok();
  expect(check_ins).toMatchObject([{ notes: "5 km" }]);
});

describe("the sharing of a goal", () => {
  it("ends while its owner is not in the team, and with the team", async () => {
    const cleo = await api.person();
    const { teamId, orgId } = await foundTeam(api, ada, [cleo, ben]);
    const body = { title: "Swim", metadata_visibility: "team", team_id: teamId };
    const { goal } = await api.post("/api/goals", cleo, body).created();
    await read(goal.id, ben);
    await api.delete(`/api/teams/${teamId}/members/${cleo.id}`, cleo).ok();
    await api.get(`/api/goals/${goal.id}`, ben).refused(404);
    expect(await read(goal.id, cleo)).toMatchObject({
      ...{ metadata_visibility: "team", effective_metadata_visibility: "user" },
    });
    await api.post(`/api/teams/${teamId}/members`, ada, { user_id: cleo.id }).created();
    await read(goal.id, ben);
    await api.delete(`/api/organizations/${orgId}`, ada).ok();
    await api.get(`/api/goals/${goal.id}`, ben).refused(404);
    expect(await read(goal.id, cleo)).toMatchObject({ metadata_visibility: "user", team_id: null });
  });

  it("with everyone does not reach users with a block between them and its owner", async () => {
    const [cleo, dan] = [await api.person(), await api.person()];
    const goal = await goalWith(PUBLIC);
    await api.post("/api/blocks", cleo, { user_id: ada.id }).created();
    await api.get(`/api/goals/${goal.id}`, cleo).refused(404);
    expect(await idsOf(cleo, "scope=public&limit=100")).not.toContain(goal.id);
    expect(await read(goal.id, dan)).toMatchObject({ description: "In spring" });
    expect((await api.get(`/api/users/${ada.id}`, dan).ok()).user.id).toBe(ada.id);
  });
});

it("a goal that someone sees and does not own cannot be changed: 403, for super admins, too", async () => {
  const goal = await goalWith(PUBLIC);
  const path = `/api/goals/${goal.id}` as const;
  const before = await read(goal.id, ada);
  const checkIn = `${path}/check-ins/${before.check_ins[0]?.id ?? ""}` as const;
  for (const other of [ben, root]) {
    for (const response of [
      api.put(path, other, { title: "Mine" }),
      api.delete(path, other),
      api.post(`${path}/check-ins`, other, { status: "completed" }),
      api.put(checkIn, other, { notes: "Mine" }),
      api.delete(checkIn, other),
    ]) {
      await response.refused(403, "goal.not_yours");
    }
  }
  expect(await read(goal.id, ada)).toEqual(before);
});

describe("GET /api/goals", () => {
  it("lists one's own goals unless asked for others, and filters all of them by status", async () => {
    const cleo = await api.person();
    const { teamId } = await foundTeam(api, cleo, [ben]);
    const set = async (fields: object) =>
      (await api.post("/api/goals", cleo, { title: "Row", ...fields }).created()).goal.id;
    const [own, shared, open] = [
      await set({}),
      await set({ metadata_visibility: "team", team_id: teamId }),
      await set(PUBLIC),
    ];
    await api.put(`/api/goals/${open}`, cleo, { status: "paused" }).ok();
    expect(await idsOf(cleo, "")).toEqual([open, shared, own]);
    expect(await idsOf(cleo, "scope=shared")).toEqual([]);
    expect(await idsOf(ben, "")).toEqual([]);
    expect((await idsOf(ben, "scope=all"))[0]).toBe(open);
    expect((await idsOf(ben, "scope=shared"))[0]).toBe(shared);
    expect((await idsOf(ben, "scope=all&status=active"))[0]).toBe(shared);
    expect(await idsOf(ben, "scope=all&status=paused&limit=1")).toEqual([open]);
    await api.get("/api/goals?scope=mine", ben).invalid("scope");
  });
});

describe("a goal that a super admin reads", () => {
  const readsOf = async (as: Person) => (await api.get("/api/user/access-log", as).ok()).reads;

  it.each(["by id", "by its check-ins", "in a list"])("and that is not shared with them is logged: %s", async (way) => {
    const cleo = await api.person();
    const { goal } = await api.post("/api/goals", cleo, { title: "Row" }).created();
    const path = `/api/goals/${goal.id}` as const;
    if (way === "by id") expect(await read(goal.id, root)).toMatchObject({ title: "Row", description: "" });
    else if (way === "by its check-ins") await api.get(`${path}/check-ins`, root).ok();
    else expect((await idsOf(root, "scope=all"))[0]).toBe(goal.id);
    await api.delete(path, cleo).ok();
    expect(await readsOf(cleo)).toMatchObject([{ by: { id: root.id }, entry_id: null, goal_id: goal.id }]);
  });

  it("is not logged if they see all of it anyway", async () => {
    const cleo = await api.person();
    const { goal } = await api.post("/api/goals", cleo, { title: "Row", ...PUBLIC }).created();
    await read(goal.id, root);
    expect(await readsOf(cleo)).toEqual([]);
    await api.put(`/api/goals/${goal.id}`, cleo, { content_visibility: "user" }).ok();
    await read(goal.id, root);
    expect(await readsOf(cleo)).toMatchObject([{ goal_id: goal.id }]);
  });
});

describe("the audience of a goal", () => {
  it("says who sees it and why, now and after a change", async () => {
    const goal = await goalWith(METADATA());
    const path = `/api/goals/${goal.id}/audience` as const;
    const { audience } = await api.get(path, ada).ok();
    expect(audience).toMatchObject({
      metadata: {
        effective: "team",
        inherited_from: null,
        team: { id: scene.teamId },
        people: 1,
        reasons: ["explicit"],
      },
      content: { effective: "user", people: 0, reasons: ["private"] },
    });
    expect((await api.get(`${path}/${ben.id}`, ada).ok()).sees).toEqual({ metadata: true, content: false });
    await api.get(`${path}/${(await api.person()).id}`, ada).refused(404, "user.not_found");
    const preview = "/api/goals/audience-preview";
    const change = { goal_id: goal.id, content_visibility: "team" };
    expect((await api.post(preview, ada, change).ok()).audience.content).toMatchObject({
      effective: "team",
      people: 1,
    });
    expect((await api.post(preview, ada, PUBLIC).ok()).audience.metadata).toMatchObject({ people: null });
    expect((await api.get(path, ada).ok()).audience).toEqual(audience);
  });

  it("is asked for by its owner only, and previewed with the errors of an update", async () => {
    const [goal, hidden] = [await goalWith(METADATA()), await goalWith()];
    const preview = (as: Person, body: object) => api.post("/api/goals/audience-preview", as, body);
    await api.get(`/api/goals/${goal.id}/audience`, ben).refused(403, "goal.not_yours");
    await api.get(`/api/goals/${goal.id}/audience/${ada.id}`, ben).refused(403, "goal.not_yours");
    await preview(ben, { goal_id: goal.id }).refused(403, "goal.not_yours");
    await api.get(`/api/goals/${hidden.id}/audience`, ben).refused(404, "goal.not_found");
    await preview(ben, { goal_id: hidden.id }).refused(404, "goal.not_found");
    await preview(await api.person(), METADATA()).refused(403, "visibility.not_a_member");
  });
});
