import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { type Cast, signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { moderatingOf } from "./moderating.ts";

const api = useApi();
const { hide } = moderatingOf(api);
const cast: Cast = beforeTests(() => signUpCast(api));
const group = beforeEachTest(() => stage(api, cast));

const PUBLIC = { metadata_visibility: "public", content_visibility: "public" } as const;
const ofTeam = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: group.teamId }) as const;

const newEntry = async (sharing: object, more: object = {}) => {
  const body = { title: "Pelican", content: "Pelicans fly.", tags: ["birds"], mood: "calm", ...sharing, ...more };
  return (await api.post("/api/journal", cast.primary, body).created()).entry;
};
const newNotebook = async (sharing: object) =>
  (await api.post("/api/notebooks", cast.primary, { name: "Birds", ...sharing }).created()).notebook;
const read = (id: string, as: Person) => api.get(`/api/journal/${id}`, as);

/** The ids of the entries that someone finds in all ways. */
async function foundBy(as: Person) {
  const ways = ["", "scope=public", "scope=shared", "q=pelican", "q=fly", "tag=birds", "mood=calm"];
  const lists = await Promise.all(ways.map((query) => api.get(`/api/journal?limit=500&${query}`, as).ok()));
  return new Set(lists.flatMap(({ entries }) => entries.map(({ id }) => id)));
}

describe("an entry that is hidden", () => {
  it.each([
    ["public", () => PUBLIC],
    ["shared with a team", ofTeam],
  ] as const)("is found by its author and super admins only, until that is reversed: %s", async (_, sharing) => {
    const { id } = await newEntry(sharing());
    const reverse = await hide(cast.teammate, "entry", id);
    for (const other of [cast.teammate, cast.coAdmin, cast.stranger]) {
      await read(id, other).refused(404, "journal.not_found");
      expect(await foundBy(other)).not.toContain(id);
    }
    expect(await foundBy(cast.primary)).toContain(id);
    expect((await read(id, cast.superAdmin).ok()).entry.content).toBe("Pelicans fly.");
    const { entry } = await read(id, cast.primary).ok();
    expect(entry).toMatchObject({
      ...sharing(),
      moderation: "hidden",
      effective_metadata_visibility: "user",
      effective_content_visibility: "user",
    });

    await reverse();
    expect((await read(id, cast.teammate).ok()).entry).toMatchObject({ moderation: null, content: "Pelicans fly." });
    expect(await foundBy(cast.teammate)).toContain(id);
  });

  it("stays hidden whatever its author changes, and follows what they changed when that is reversed", async () => {
    const { id } = await newEntry(PUBLIC);
    const reverse = await hide(cast.stranger, "entry", id);
    const open = await newNotebook(PUBLIC);
    const path = `/api/journal/${id}` as const;
    const { entry } = await api.put(path, cast.primary, { title: "Gulls", ...ofTeam(), notebook_id: open.id }).ok();
    expect(entry).toMatchObject({ moderation: "hidden", effective_metadata_visibility: "user" });
    await api.put(path, cast.primary, { metadata_visibility: "user", content_visibility: "user" }).ok();
    for (const other of [cast.teammate, cast.stranger]) await read(id, other).refused(404, "journal.not_found");
    await api.put(path, cast.primary, ofTeam()).ok();
    await reverse();
    expect((await read(id, cast.teammate).ok()).entry.title).toBe("Gulls");
    await read(id, cast.stranger).refused(404, "journal.not_found");
  });

  it("cannot be shown again by its author", async () => {
    const { id } = await newEntry(PUBLIC);
    await hide(cast.stranger, "entry", id);
    await api.put(`/api/journal/${id}`, cast.primary, { moderation: null, hidden_at: null }).invalid("");
    const statement = api.database.asUser(cast.primary.id, (tx) =>
      tx.updateTable("journal_entries").set({ hidden_at: null }).where("id", "=", id).execute(),
    );
    await expect(statement).rejects.toThrow("You may not do this.");
  });

  it("stays hidden while another decision to hide it stands", async () => {
    const { id } = await newEntry(PUBLIC);
    const reports = [];
    for (const as of [cast.stranger, cast.superAdmin]) reports.push(await hide(as, "entry", id));
    await reports[0]?.();
    await read(id, cast.stranger).refused(404, "journal.not_found");
    await reports[1]?.();
    await read(id, cast.stranger).ok();
  });
});

describe("a notebook that is hidden", () => {
  it("is seen by its author and super admins only, with the entries that inherit from it", async () => {
    const notebook = await newNotebook(PUBLIC);
    const inheriting = await newEntry({}, { notebook_id: notebook.id });
    const own = await newEntry(ofTeam(), { notebook_id: notebook.id });
    const reverse = await hide(cast.stranger, "notebook", notebook.id);
    const path = `/api/notebooks/${notebook.id}` as const;
    const later = await newEntry({}, { notebook_id: notebook.id });

    await api.get(path, cast.teammate).refused(404, "notebook.not_found");
    expect((await api.get("/api/notebooks", cast.teammate).ok()).notebooks.map(({ id }) => id)).not.toContain(
      notebook.id,
    );
    for (const { id } of [inheriting, later]) await read(id, cast.teammate).refused(404, "journal.not_found");
    await read(own.id, cast.teammate).ok();
    expect((await api.get(path, cast.superAdmin).ok()).notebook.moderation).toBe("hidden");
    expect((await api.get(path, cast.primary).ok()).notebook).toMatchObject({ moderation: "hidden", ...PUBLIC });
    const { entry } = await read(inheriting.id, cast.primary).ok();
    expect(entry).toMatchObject({ moderation: null, effective_metadata_visibility: "user" });

    await reverse();
    expect((await api.get(path, cast.stranger).ok()).notebook).toMatchObject({ moderation: null, entry_count: 2 });
    for (const { id } of [inheriting, later]) await read(id, cast.stranger).ok();
  });
});
