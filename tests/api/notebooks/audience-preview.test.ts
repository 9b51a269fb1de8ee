import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const scene = beforeTests(() => foundTeam(api, ada, [ben]));

/** Makes a notebook with entries, and returns what previews its sharing. */
async function notebookWith(sharing: object, entries: readonly object[]) {
  const { id } = (await api.post("/api/notebooks", ada, { name: "Diary", ...sharing }).created()).notebook;
  const ids: string[] = [];
  for (const entry of entries) ids.push((await write(api, ada, { notebook_id: id, ...entry })).id);
  const path = `/api/notebooks/${id}/audience-preview` as const;
  const preview = async (change: object) => (await api.post(path, ada, change).ok()).preview;
  return { id, ids, path, preview };
}

const NOTHING = { approximate: false, entries: 0, widened: 0, narrowed: 0, examples: [] };
const both = (level: string) => ({ metadata_visibility: level, content_visibility: level });

describe("POST /api/notebooks/:id/audience-preview", () => {
  it("counts entries that inherit, and their metadata and content separately", async () => {
    const { ids, preview } = await notebookWith({}, [
      { title: "Inherits" },
      { title: "Does not", inherit_visibility: false },
      { title: "Only content", metadata_visibility: "public" },
    ]);
    const [, , content] = ids;
    const public_ = { from: "user", to: "public" };
    expect(await preview(both("public"))).toEqual({
      ...NOTHING,
      ...{ entries: 2, widened: 3 },
      examples: [
        { entry_id: content, title: "Only content", axis: "content", ...public_ },
        { entry_id: ids[0], title: "Inherits", axis: "metadata", ...public_ },
        { entry_id: ids[0], title: "Inherits", axis: "content", ...public_ },
      ],
    });
    expect(await preview({})).toEqual(NOTHING);
  });

  it("says nothing of content that no one sees before or after, because of its metadata", async () => {
    const { preview } = await notebookWith({}, [{}]);
    expect(await preview({ content_visibility: "public" })).toEqual(NOTHING);
  });

  it("says that content is seen by more if its metadata is", async () => {
    const { preview } = await notebookWith({}, [{ content_visibility: "public" }]);
    const { examples, ...counts } = await preview({ metadata_visibility: "public" });
    expect(counts).toEqual({ approximate: false, entries: 1, widened: 2, narrowed: 0 });
    expect(examples).toContainEqual(expect.objectContaining({ axis: "content", from: "user", to: "public" }));
  });

  it("takes an organization as wider than its teams, and another team as both wider and narrower", async () => {
    const other = await foundTeam(api, ada);
    const ofTeam = { ...both("team"), team_id: scene.teamId };
    const { preview } = await notebookWith(ofTeam, [{}]);
    expect(await preview({ ...both("org"), org_id: scene.orgId })).toMatchObject({ widened: 2, narrowed: 0 });
    expect(await preview({ ...both("org"), org_id: other.orgId })).toMatchObject({ widened: 2, narrowed: 2 });
    expect(await preview({ team_id: other.teamId })).toMatchObject({ entries: 1, widened: 2, narrowed: 2 });
    expect(await preview(both("user"))).toMatchObject({ widened: 0, narrowed: 2 });
  });

  it("shows 20 examples, widened ones first, then newest first", async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `Day ${index}`);
    const { ids, preview } = await notebookWith(
      { ...both("team"), team_id: scene.teamId },
      titles.map((title) => ({ title })),
    );
    await api.query`update nectar.journal_entries set created_at = now() + (substr(title, 5) || ' days')::interval
      where id = any (${ids})`;
    const { examples, ...counts } = await preview({ metadata_visibility: "public", content_visibility: "user" });
    expect(counts).toEqual({ approximate: false, entries: 12, widened: 12, narrowed: 12 });
    const newest = titles.toReversed();
    expect(examples.map(({ title, axis }) => `${title} ${axis}`)).toEqual([
      ...newest.map((title) => `${title} metadata`),
      ...newest.slice(0, 8).map((title) => `${title} content`),
    ]);
  });

  it("fails with the errors of an update", async () => {
    const { path } = await notebookWith(both("public"), []);
    const { path: hidden } = await notebookWith({}, []);
    await api.post(path, ada, both("team")).refused(400, "visibility.missing_team");
    await api.post(path, ada, { ...both("org"), org_id: null }).refused(400, "visibility.missing_organization");
    const foreign = await foundTeam(api, ben);
    await api.post(path, ada, { ...both("team"), team_id: foreign.teamId }).refused(403, "visibility.not_a_member");
    await api.post(path, ben, both("user")).refused(403, "notebook.not_yours");
    await api.post(hidden, ben, both("user")).refused(404, "notebook.not_found");
  });
});
