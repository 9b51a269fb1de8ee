import { describe, expect, it } from "vitest";
import { textCostUsd } from "#core/money/pricing";
import { journalApp } from "#functions/journal/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { write } from "#tests/groups";
import { usageOf, useModel } from "#tests/models";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { ANGRY, CALM, changeEntry, LIST } from "./moods.ts";

const model = await useModel();
const api = useApi({ environment: model.environment });
const ada = beforeTests(() => api.person());

const change = (id: string, body: object, as = ada) => changeEntry(api, as, id, body);

describe("a new entry", () => {
  it.each([{}, { mood: null }, { mood: "" }, { mood: "  " }])(
    "with %o gets the mood that a model finds in its text",
    async (fields) => {
      const entry = await write(api, ada, { content: CALM, ...fields });
      expect(entry).toMatchObject({ mood: "calm", mood_source: "ai" });
      expect(entry.updated_at).toBe(entry.created_at);
      expect((await api.get(`/api/journal/${entry.id}`, ada)).body.entry).toEqual(entry);
    },
  );

  it("keeps the mood of the request without calling the model", async () => {
    expect(await write(api, ada, { content: CALM, mood: "Grumpy" })).toMatchObject({
      mood: "Grumpy",
      mood_source: "user",
    });
    expect(model.requests).toEqual([]);
  });

  it("has no mood if the model is not sure, but the use of the model is recorded", async () => {
    const ben = await api.person();
    const entry = await write(api, ben, { content: LIST });
    expect(entry).toMatchObject({ mood: null, mood_source: null });
    const [usage, ...others] = await usageOf(api, ben);
    expect(others).toEqual([]);
    expect(usage).toMatchObject({
      usage_type: "tone_analysis",
      reference_type: "journal_entry",
      reference_id: entry.id,
    });
    expect(usage?.cost_usd).toBe(textCostUsd("gpt-6-luna", Number(usage?.input_tokens), Number(usage?.output_tokens)));
  });

  it.each(["fail", "prose", "refuse"] as const)("is saved without a mood if the model would %s", async (mode) => {
    model.mode(mode);
    const ben = await api.person();
    const entry = await write(api, ben, { content: CALM });
    expect(entry).toMatchObject({ mood: null, mood_source: null });
    expect((await api.get(`/api/journal/${entry.id}`, ben)).body.entry).toEqual(entry);
    expect(model.requests).toHaveLength(1);
    expect(await usageOf(api, ben)).toHaveLength(mode === "fail" ? 0 : 1);
  });

  it("is analyzed once for one Idempotency-Key, and a replay has the mood", async () => {
    const key = { "idempotency-key": "one" };
    const body = { title: "Walk", content: CALM };
    const first = await api.post("/api/journal", ada, body, key);
    const replay = await api.post("/api/journal", ada, body, key);
    expect(first.body.entry.mood).toBe("calm");
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(model.requests).toHaveLength(1);
  });
});

describe("an updated entry", () => {
  it("is analyzed again if the text changed and its author chose no mood", async () => {
    const { id } = await write(api, ada, { content: CALM });
    expect(await change(id, { content: ANGRY })).toMatchObject({ mood: "angry", mood_source: "ai" });
    expect(await change(id, { content: LIST })).toMatchObject({ mood: null, mood_source: null });
    expect(await change(id, { content: CALM, mood: null })).toMatchObject({ mood: "calm", mood_source: "ai" });
  });

  it("has the use of the model recorded for each analysis", async () => {
    const ben = await api.person();
    const { id } = await write(api, ben, { content: CALM });
    await change(id, { content: ANGRY }, ben);
    await change(id, { content: LIST }, ben);
    expect(await usageOf(api, ben)).toMatchObject(
      Array(3).fill({ usage_type: "tone_analysis", reference_type: "journal_entry", reference_id: id }),
    );
  });

  it("is not analyzed if the text in the request is the same", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.requests.length = 0;
    expect(await change(id, { content: `  ${CALM} `, title: "Other" })).toMatchObject({ mood: "calm" });
    expect(await change(id, { content: CALM, mood: null })).toMatchObject({ mood: null, mood_source: null });
    expect(await change(id, { title: "Third" })).toMatchObject({ mood: null });
    expect(model.requests).toEqual([]);
  });

  it("keeps the mood that its author chose, and takes a new one from the request", async () => {
    const { id } = await write(api, ada, { content: CALM, mood: "wistful" });
    expect(await change(id, { content: ANGRY })).toMatchObject({ mood: "wistful", mood_source: "user" });
    expect(await change(id, { content: CALM, mood: "proud" })).toMatchObject({ mood: "proud", mood_source: "user" });
    expect(model.requests).toEqual([]);
    expect(await change(id, { content: ANGRY, mood: null })).toMatchObject({ mood: "angry", mood_source: "ai" });
    model.requests.length = 0;
    expect(await change(id, { content: CALM, mood: "mine" })).toMatchObject({ mood: "mine", mood_source: "user" });
    expect(model.requests).toEqual([]);
  });

  it("keeps a found mood as found if a client sends it back with the rest of the entry", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.requests.length = 0;
    const found = { mood: "calm", mood_source: "ai" };
    expect(await change(id, { title: "Other", content: CALM, mood: "calm", tags: [] })).toMatchObject(found);
    expect(await change(id, { mood: " calm " })).toMatchObject(found);
    expect(model.requests).toEqual([]);
    // Another spelling is a mood that the author chose.
    expect(await change(id, { mood: "Calm" })).toMatchObject({ mood: "Calm", mood_source: "user" });
    expect(await change(id, { mood: "calm" })).toMatchObject({ mood: "calm", mood_source: "user" });
  });

  it("is analyzed again if a client sends a found mood back with another text", async () => {
    const { id } = await write(api, ada, { content: CALM });
    expect(await change(id, { content: ANGRY, mood: "calm" })).toMatchObject({ mood: "angry", mood_source: "ai" });
    expect(await change(id, { content: LIST, mood: "angry" })).toMatchObject({ mood: null, mood_source: null });
    expect(await change(id, { content: CALM, mood: "angry" })).toMatchObject({ mood: "angry", mood_source: "user" });
  });

  it("is saved without a mood beyond 200 analyses a day, and so is a new one", async () => {
    const ben = await api.person();
    const { id } = await write(api, ben, { content: CALM });
    await leaveQuota(api.adminUrl, ben, "entry_mood", 1);
    expect(await write(api, ben, { content: CALM })).toMatchObject({ mood: "calm" });
    model.requests.length = 0;
    expect(await write(api, ben, { content: CALM })).toMatchObject({ content: CALM, mood: null });
    expect(await change(id, { title: "Other" }, ben)).toMatchObject({ mood: "calm" });
    expect(await change(id, { content: ANGRY }, ben)).toMatchObject({ content: ANGRY, mood: null, mood_source: null });
    expect(await write(api, ben, { content: CALM, mood: "proud" })).toMatchObject({ mood: "proud" });
    expect(model.requests).toEqual([]);
  });

  it("loses the mood of the old text if the model fails", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.mode("fail");
    expect(await change(id, { content: ANGRY })).toMatchObject({ content: ANGRY, mood: null, mood_source: null });
  });
});

describe("without a model", () => {
  const plain = useApi();

  it("a found mood stays if the text changes, until its author removes it", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.requests.length = 0;
    const client = clientOf(journalApp({ ...api.services, ai: null }).fetch);
    const put = async (body: object) => (await client.put(`/api/journal/${id}`, ada, body)).body.entry;
    expect(await put({ content: ANGRY })).toMatchObject({ content: ANGRY, mood: "calm", mood_source: "ai" });
    expect(await put({ content: LIST, mood: null })).toMatchObject({ content: LIST, mood: null, mood_source: null });
    expect(model.requests).toEqual([]);
  });

  it("entries are created and updated without a mood", async () => {
    const cleo = await plain.person();
    const entry = await write(plain, cleo, { content: CALM });
    expect(entry).toMatchObject({ mood: null, mood_source: null });
    const body = await plain.put(`/api/journal/${entry.id}`, cleo, { content: ANGRY }).ok();
    expect(body.entry).toMatchObject({ content: ANGRY, mood: null });
    expect(model.requests).toEqual([]);
  });
});

describe("a mood that was found in content", () => {
  const listed = async (path: `/api/journal?${string}` | `/api/notebooks/${string}/entries`, as: Person) =>
    (await api.get(path, as)).body.entries.map((entry) => entry.id);

  it("is hidden from readers who may not see the content, in all responses and filters", async () => {
    const ben = await api.person();
    const { notebook } = (await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" })).body;
    const found = await write(api, ada, { content: CALM, notebook_id: notebook.id });
    const chosen = await write(api, ada, { content: ANGRY, mood: "calm", notebook_id: notebook.id });
    const [ofNotebook, withMood] = [
      `/api/notebooks/${notebook.id}/entries`,
      `/api/journal?mood=CALM&notebook_id=${notebook.id}`,
    ] as const;

    expect((await api.get(`/api/journal/${found.id}`, ben)).body.entry).toMatchObject({
      mood: null,
      mood_source: null,
    });
    expect((await api.get(`/api/journal/${chosen.id}`, ben)).body.entry).toMatchObject({
      mood: "calm",
      mood_source: "user",
    });
    expect((await api.get(ofNotebook, ben)).body.entries).toMatchObject([
      { mood: "calm" },
      { mood: null, mood_source: null },
    ]);
    expect(await listed(withMood, ben)).toEqual([chosen.id]);
    expect(await listed(withMood, ada)).toEqual([chosen.id, found.id]);

    await api.put(`/api/journal/${found.id}`, ada, { content_visibility: "public" });
    expect((await api.get(`/api/journal/${found.id}`, ben)).body.entry).toMatchObject({
      mood: "calm",
      mood_source: "ai",
    });
    expect(await listed(withMood, ben)).toEqual([chosen.id, found.id]);
  });

  it("is ignored by filters once the author has chosen another", async () => {
    const entry = await write(api, ada, { content: ANGRY });
    await change(entry.id, { mood: "proud" });
    expect(await listed("/api/journal?mood=angry&scope=own", ada)).not.toContain(entry.id);
    expect(await listed("/api/journal?mood=proud&scope=own", ada)).toContain(entry.id);
  });
});
