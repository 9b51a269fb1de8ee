import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";
import { moderatingOf, REASON } from "../safety/moderating.ts";

/* Random steps of moving entries to the trash and restoring them are in tests/api/visibility. */

const api = useApi();
const { hide, report } = moderatingOf(api);
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());

const PUBLIC = { metadata_visibility: "public", content_visibility: "public" } as const;
const SEEN_BY_NO_ONE = { effective_metadata_visibility: "user", effective_content_visibility: "user" };
const trash = (id: string) => api.delete(`/api/journal/${id}`, ada).ok();
const restore = async (id: string) => (await api.post(`/api/journal/${id}/restore`, ada).ok()).entry;
const isSeenByBen = async (id: string) => (await api.get(`/api/journal/${id}`, ben)).status === 200;
/** A notebook that Ada shares with everyone, and an entry in it. */
async function entryInNotebook(fields: Record<string, unknown> = {}) {
  const { notebook } = await api.post("/api/notebooks", ada, { name: "Birds", ...PUBLIC }).created();
  const { id } = await write(api, ada, { notebook_id: notebook.id, ...fields });
  return { id, notebook_id: notebook.id };
}

describe("an entry that is restored", () => {
  it("stays hidden if an admin had hidden it", async () => {
    const { id } = await write(api, ada, PUBLIC);
    const reverse = await hide(ben, "entry", id);
    await trash(id);
    expect(await restore(id)).toMatchObject({ ...PUBLIC, ...SEEN_BY_NO_ONE, moderation: "hidden" });
    expect(await isSeenByBen(id)).toBe(false);
    await reverse();
    expect(await isSeenByBen(id)).toBe(true);
  });

  it("is hidden if an admin decided so meanwhile, about a report from before", async () => {
    const { id } = await write(api, ada, PUBLIC);
    const admin = await api.person({ role: "admin" });
    const { report: open } = await report(ben, "entry", id).created();
    await trash(id);
    const { reports } = await api.get("/api/admin/reports?status=open", admin).ok();
    expect(reports).toContainEqual(expect.objectContaining({ id: open.id, excerpt: "Title\nContent" }));
    await api.put(`/api/admin/reports/${open.id}`, admin, { decision: "hide", reason: REASON }).ok();
    expect(await restore(id)).toMatchObject({ ...SEEN_BY_NO_ONE, moderation: "hidden" });
    expect(await isSeenByBen(id)).toBe(false);
  });

  it("is visible again if the decision was reversed meanwhile", async () => {
    const { id } = await write(api, ada, PUBLIC);
    const reverse = await hide(ben, "entry", id);
    await trash(id);
    await reverse();
    expect(await isSeenByBen(id)).toBe(false);
    expect(await restore(id)).toMatchObject({ effective_metadata_visibility: "public", moderation: null });
    expect(await isSeenByBen(id)).toBe(true);
  });

  it("inherits what its notebook says now, and nothing from one that is gone", async () => {
    const { id, notebook_id } = await entryInNotebook();
    await trash(id);
    await api.put(`/api/notebooks/${notebook_id}`, ada, { content_visibility: "user" }).ok();
    expect(await restore(id)).toMatchObject({ ...SEEN_BY_NO_ONE, effective_metadata_visibility: "public" });
    await trash(id);
    expect((await api.delete(`/api/notebooks/${notebook_id}`, ada).ok()).message).not.toContain("1");
    expect(await restore(id)).toMatchObject({ notebook_id: null, ...SEEN_BY_NO_ONE });
  });

  it.each(["team", "org"] as const)("is private if its %s is gone, and inherits nothing instead", async (level) => {
    const { orgId, teamId } = await foundTeam(api, ada, [ben]);
    const shared = { metadata_visibility: level, content_visibility: level, team_id: teamId, org_id: orgId };
    const { id, notebook_id } = await entryInNotebook(shared);
    await trash(id);
    await api.delete(level === "team" ? `/api/teams/${teamId}` : `/api/organizations/${orgId}`, ada).ok();
    expect(await restore(id)).toMatchObject({
      metadata_visibility: "user",
      content_visibility: "user",
      inherit_visibility: false,
      team_id: null,
      notebook_id,
      ...SEEN_BY_NO_ONE,
    });
    expect(await isSeenByBen(id)).toBe(false);
  });

  it("is private if its author left the team, and shared again when they return", async () => {
    const { orgId, teamId } = await foundTeam(api, ben, [ada]);
    const { id } = await write(api, ada, { metadata_visibility: "team", content_visibility: "team", team_id: teamId });
    await trash(id);
    await api.delete(`/api/organizations/${orgId}/members/${ada.id}`, ben).ok();
    expect(await restore(id)).toMatchObject({ team_id: teamId, ...SEEN_BY_NO_ONE });
    expect(await isSeenByBen(id)).toBe(false);
    await api.post(`/api/organizations/${orgId}/members`, ben, { user_id: ada.id }).created();
    await api.post(`/api/teams/${teamId}/members`, ben, { user_id: ada.id }).created();
    expect(await isSeenByBen(id)).toBe(true);
  });
});
