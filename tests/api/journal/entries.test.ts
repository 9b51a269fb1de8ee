import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const pathsOf = (body: { issues: { path: string }[] }) => body.issues.map((issue) => issue.path);

describe("POST /api/journal", () => {
  it("stores the entry and returns it", async () => {
    const body = await api
      .post("/api/journal", ada, {
        title: "  First day  ",
        content: "It rained.",
        mood: "calm",
        tags: ["#Rain", "rain", "walk"],
      })
      .created();
    expect(body.entry).toMatchObject({
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
    expect((await api.get(`/api/journal/${body.entry.id}`, ada)).body.entry).toEqual(body.entry);
  });

  it("requires only title and content, and an empty mood means none", async () => {
    const entry = await write(api, ada, { mood: "" });
    expect(entry).toMatchObject({ mood: null, mood_source: null, tags: [] });
  });

  it("reports all problems of a body at once", async () => {
    const body = await api
      .post("/api/journal", ada, {
        title: " ",
        content: 7,
        mood: "x".repeat(51),
        tags: ["ok", "y".repeat(51), "#"],
        notebook_id: "7",
        metadata_visibility: "everyone",
      })
      .refused(400);
    expect(new Set(pathsOf(body))).toEqual(
      new Set(["title", "content", "mood", "tags.1", "tags.2", "notebook_id", "metadata_visibility"]),
    );
  });

  it.each([
    ["a title of 256", { title: "x".repeat(256) }, "title"],
    ["content of 100,001", { content: "x".repeat(100_001) }, "content"],
    ["21 tags", { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "tags"],
    ["tags that are no list", { tags: "a" }, "tags"],
    ["a missing title", { title: undefined }, "title"],
    ["a title that is null", { title: null }, "title"],
  ])("refuses %s", async (_, fields, path) => {
    const body = await api.post("/api/journal", ada, { title: "t", content: "c", ...fields }).refused(400);
    expect(pathsOf(body)).toContain(path);
  });

  it("accepts the maximum size of every field", async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(50, "t"));
    const entry = await write(api, ada, {
      title: "🐝".repeat(255),
      content: "y".repeat(100_000),
      mood: "z".repeat(50),
      tags,
    });
    expect(entry.tags).toEqual(tags);
    expect([entry.title, entry.content?.length]).toEqual(["🐝".repeat(255), 100_000]);
  });

  it("ignores fields that the caller may not set", async () => {
    const id = randomUUID();
    const entry = await write(api, ada, {
      id,
      user_id: ben.id,
      mood_source: "ai",
      created_at: "2000-01-01T00:00:00.000Z",
      effective_metadata_visibility: "public",
      surprise: true,
    });
    expect(entry.id).not.toBe(id);
    expect(entry).toMatchObject({ user_id: ada.id, mood_source: null, effective_metadata_visibility: "user" });
    expect(entry.created_at > "2020").toBe(true);
  });

  it("accepts only a notebook of the caller", async () => {
    const own = (await api.post("/api/notebooks", ada, { name: "Mine" })).body.notebook.id;
    expect((await write(api, ada, { notebook_id: own })).notebook_id).toBe(own);
    for (const notebook_id of [own, randomUUID()]) {
      await api.post("/api/journal", ben, { title: "t", content: "c", notebook_id }).refused(404, "notebook.not_found");
    }
  });
});

describe("PUT /api/journal/:id", () => {
  it("updates only the fields in the body", async () => {
    const entry = await write(api, ada, { mood: "sad", tags: ["a"] });
    const body = await api.put(`/api/journal/${entry.id}`, ada, { content: "Other" }).ok();
    expect(body.entry).toEqual({ ...entry, content: "Other", updated_at: body.entry.updated_at });
    expect(body.entry.updated_at >= entry.updated_at).toBe(true);
  });

  it("clears optional fields with null", async () => {
    const notebook = (await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" })).body
      .notebook;
    const entry = await write(api, ada, {
      mood: "sad",
      tags: ["a"],
      notebook_id: notebook.id,
      content_visibility: "public",
    });
    const { body } = await api.put(`/api/journal/${entry.id}`, ada, {
      mood: null,
      tags: null,
      notebook_id: null,
      content_visibility: null,
    });
    expect(body.entry).toMatchObject({
      mood: null,
      mood_source: null,
      tags: [],
      notebook_id: null,
      content_visibility: "user",
      effective_metadata_visibility: "user",
    });
  });

  it.each([{}, { id: "x" }, { user_id: "y", created_at: "z" }])(
    "is 400 without a field that can be updated: %j",
    async (body) => {
      const entry = await write(api, ada);
      await api.put(`/api/journal/${entry.id}`, ada, body).refused(400);
    },
  );
});

describe("an entry of another user", () => {
  it("is 404 if hidden and 403 if visible, and stays unchanged", async () => {
    const hidden = await write(api, ada);
    const visible = await write(api, ada, { metadata_visibility: "public" });
    for (const [entry, status] of [
      [hidden, 404],
      [visible, 403],
    ] as const) {
      expect((await api.put(`/api/journal/${entry.id}`, ben, { title: "Mine now" })).status).toBe(status);
      expect((await api.delete(`/api/journal/${entry.id}`, ben)).status).toBe(status);
      expect((await api.get(`/api/journal/${entry.id}`, ada)).body.entry).toEqual(entry);
    }
  });

  it("can be read but not changed by a super admin", async () => {
    const boss = await api.person({ role: "super_admin" });
    const entry = await write(api, ada);
    expect((await api.get(`/api/journal/${entry.id}`, boss)).body.entry).toEqual(entry);
    await api.put(`/api/journal/${entry.id}`, boss, { title: "t" }).refused(403);
    await api.delete(`/api/journal/${entry.id}`, boss).refused(403);
  });
});

describe("DELETE /api/journal/:id", () => {
  it("moves the entry to the trash", async () => {
    const entry = await write(api, ada);
    const body = await api.delete(`/api/journal/${entry.id}`, ada).ok();
    expect(body).toEqual({ message: "The entry was moved to the trash." });
    await api.get(`/api/journal/${entry.id}`, ada).refused(404);
    await api.delete(`/api/journal/${entry.id}`, ada).refused(404);
  });
});

describe("GET /api/moods", () => {
  it("lists the suggested moods with their categories", async () => {
    const body = await api.get("/api/moods", ada).ok();
    expect(new Set(body.moods.map(({ name }) => name)).size).toBe(20);
    expect(body.moods).toContainEqual({ name: "grateful", category: "positive" });
    expect(body.moods).toContainEqual({ name: "pessimistic", category: "negative" });
    expect(body.moods).toContainEqual({ name: "tired", category: "neutral" });
  });
});
