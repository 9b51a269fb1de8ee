import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const read = async (id: string, as = ada) => {
  const { pictures: _, ...entry } = (await api.get(`/api/journal/${id}`, as).ok()).entry;
  return entry;
};

describe("POST /api/journal", () => {
  it("stores the entry and returns it", async () => {
    const tags = ["#Rain", "rain", "walk"];
    const entry = await write(api, ada, { title: "  First day  ", content: "It rained.", mood: "calm", tags });
    expect(entry).toMatchObject({
      user_id: ada.id,
      title: "First day",
      content: "It rained.",
      content_hidden: false,
      mood: "calm",
      mood_source: "user",
      tags: ["Rain", "walk"],
      notebook_id: null,
      metadata_visibility: "user",
      content_visibility: "user",
      effective_metadata_visibility: "user",
      effective_content_visibility: "user",
      inherit_visibility: true,
      ai_excluded: false,
      team_id: null,
      org_id: null,
    });
    expect(await read(entry.id)).toEqual(entry);
  });

  it("requires only title and content, and an empty mood means none", async () => {
    expect(await write(api, ada, { mood: "" })).toMatchObject({ mood: null, mood_source: null, tags: [] });
  });

  it("reports all problems of a body at once", async () => {
    const body = {
      title: " ",
      content: 7,
      mood: "x".repeat(51),
      tags: ["ok", "y".repeat(51), "#"],
      notebook_id: "7",
      metadata_visibility: "everyone",
    };
    const fields = ["title", "content", "mood", "tags.1", "tags.2", "notebook_id", "metadata_visibility"];
    await api.post("/api/journal", ada, body).invalid(...fields);
  });

  it("has at most 20 tags", async () => {
    const tags = Array.from({ length: 21 }, (_, index) => `t${index}`);
    await api.post("/api/journal", ada, { title: "t", content: "c", tags }).invalid("tags");
  });

  it("accepts the maximum size of every field", async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(50, "t"));
    const largest = { title: "🐝".repeat(255), content: "y".repeat(100_000), mood: "z".repeat(50), tags };
    expect(await write(api, ada, largest)).toMatchObject(largest);
  });

  it("ignores fields that the caller may not set", async () => {
    const entry = await write(api, ada, {
      user_id: ben.id,
      mood_source: "ai",
      created_at: "2000-01-01T00:00:00.000Z",
      effective_metadata_visibility: "public",
      surprise: true,
    });
    expect(entry).toMatchObject({ user_id: ada.id, mood_source: null, effective_metadata_visibility: "user" });
    expect(entry.created_at > "2020").toBe(true);
  });

  it("accepts only a notebook of the caller", async () => {
    const { id: own } = (await api.post("/api/notebooks", ada, { name: "Mine" }).created()).notebook;
    expect((await write(api, ada, { notebook_id: own })).notebook_id).toBe(own);
    for (const notebook_id of [own, randomUUID()]) {
      await api.post("/api/journal", ben, { title: "t", content: "c", notebook_id }).refused(404, "notebook.not_found");
    }
  });
});

describe("PUT /api/journal/:id", () => {
  it("updates only the fields in the body", async () => {
    const before = await write(api, ada, { mood: "sad", tags: ["a"] });
    const { entry } = await api.put(`/api/journal/${before.id}`, ada, { content: "Other" }).ok();
    expect(entry).toEqual({ ...before, content: "Other", updated_at: entry.updated_at });
    expect(entry.updated_at >= before.updated_at).toBe(true);
  });

  it("clears optional fields with null", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" }).created();
    const fields = { mood: "sad", tags: ["a"], notebook_id: notebook.id, content_visibility: "public" };
    const { id } = await write(api, ada, fields);
    const none = { mood: null, tags: null, notebook_id: null, content_visibility: null };
    expect((await api.put(`/api/journal/${id}`, ada, none).ok()).entry).toMatchObject({
      mood: null,
      mood_source: null,
      tags: [],
      notebook_id: null,
      content_visibility: "user",
      effective_metadata_visibility: "user",
    });
  });
});

it("an entry of another user is 404 if hidden and 403 if visible, also to a super admin, and stays unchanged", async () => {
  const boss = await api.person({ role: "super_admin" });
  const [hidden, visible] = [await write(api, ada), await write(api, ada, { metadata_visibility: "public" })];
  for (const [entry, as, status] of [
    [hidden, ben, 404],
    [visible, ben, 403],
    [hidden, boss, 403],
  ] as const) {
    await api.put(`/api/journal/${entry.id}`, as, { title: "Mine now" }).refused(status);
    await api.delete(`/api/journal/${entry.id}`, as).refused(status);
    expect(await read(entry.id)).toEqual(entry);
  }
  expect(await read(hidden.id, boss)).toEqual(hidden);
});

it("GET /api/moods lists the suggested moods with their categories", async () => {
  const { moods } = await api.get("/api/moods", ada).ok();
  expect(new Set(moods.map(({ name }) => name)).size).toBe(20);
  for (const [name, category] of [
    ["grateful", "positive"],
    ["pessimistic", "negative"],
    ["tired", "neutral"],
  ]) {
    expect(moods).toContainEqual({ name, category });
  }
});
