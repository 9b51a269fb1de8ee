import { describe, expect, it } from "vitest";
import { journalApp } from "#functions/journal/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { write } from "#tests/groups";
import { textCost, usageOf, useModel } from "#tests/models";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { ANGRY, CALM, changeEntry, LIST } from "./moods.ts";

const model = await useModel();
const api = useApi({ environment: model.environment });
const ada = beforeTests(() => api.person());

const NO_MOOD = { mood: null, mood_source: null };
const change = (id: string, body: object, as = ada) => changeEntry(api, as, id, body);
const read = async (id: string, as = ada) => (await api.get(`/api/journal/${id}`, as).ok()).entry;

describe("a new entry", () => {
  it("gets the mood that a model finds in its text, or keeps that of the request without calling the model", async () => {
    for (const fields of [{}, { mood: null }, { mood: "" }, { mood: "  " }]) {
      const entry = await write(api, ada, { content: CALM, ...fields });
      expect(entry).toMatchObject({ mood: "calm", mood_source: "ai", updated_at: entry.created_at });
      expect(await read(entry.id)).toMatchObject(entry);
    }
    model.requests.length = 0;
    const chosen = await write(api, ada, { content: CALM, mood: "Grumpy" });
    expect(chosen).toMatchObject({ mood: "Grumpy", mood_source: "user" });
    expect(model.requests).toEqual([]);
  });

  it("has no mood if the model is not sure, but the use of the model is recorded", async () => {
    const ben = await api.person();
    const entry = await write(api, ben, { content: LIST });
    expect(entry).toMatchObject(NO_MOOD);
    const [usage, ...others] = await usageOf(api, ben);
    expect(others).toEqual([]);
    const use = { usage_type: "tone_analysis", reference_type: "journal_entry", reference_id: entry.id };
    const cost_usd = textCost(usage);
    expect(usage).toMatchObject({ ...use, cost_usd });
  });

  it.each(["fail", "prose", "refuse"] as const)("is saved without a mood if the model would %s", async (mode) => {
    model.mode(mode);
    const ben = await api.person();
    const entry = await write(api, ben, { content: CALM });
    expect(entry).toMatchObject(NO_MOOD);
    expect(await read(entry.id, ben)).toMatchObject(entry);
    expect(model.requests).toHaveLength(1);
    expect(await usageOf(api, ben)).toHaveLength(mode === "fail" ? 0 : 1);
  });
});

describe("an updated entry", () => {
  it("is analyzed again if the text changed and its author chose no mood, and each analysis is recorded", async () => {
    const ben = await api.person();
    const { id } = await write(api, ben, { content: CALM });
    expect(await change(id, { content: ANGRY }, ben)).toMatchObject({ mood: "angry", mood_source: "ai" });
    expect(await change(id, { content: LIST }, ben)).toMatchObject(NO_MOOD);
    expect(await change(id, { content: CALM, mood: null }, ben)).toMatchObject({ mood: "calm", mood_source: "ai" });
    const use = { usage_type: "tone_analysis", reference_type: "journal_entry", reference_id: id };
    expect(await usageOf(api, ben)).toMatchObject(Array(4).fill(use));
  });

  it("is not analyzed if the text in the request is the same", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.requests.length = 0;
    expect(await change(id, { content: `  ${CALM} `, title: "Other" })).toMatchObject({ mood: "calm" });
    expect(await change(id, { content: CALM, mood: null })).toMatchObject(NO_MOOD);
    expect(await change(id, { title: "Third" })).toMatchObject({ mood: null });
    expect(model.requests).toEqual([]);
  });

  it("keeps the mood that its author chose, and takes a new one from the request", async () => {
    const { id } = await write(api, ada, { content: CALM, mood: "wistful" });
    const by = (mood: string) => ({ mood, mood_source: "user" });
    expect(await change(id, { content: ANGRY })).toMatchObject(by("wistful"));
    expect(await change(id, { content: CALM, mood: "proud" })).toMatchObject(by("proud"));
    expect(model.requests).toEqual([]);
    expect(await change(id, { content: ANGRY, mood: null })).toMatchObject({ mood: "angry", mood_source: "ai" });
    model.requests.length = 0;
    expect(await change(id, { content: CALM, mood: "mine" })).toMatchObject(by("mine"));
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
    expect(await change(id, { content: LIST, mood: "angry" })).toMatchObject(NO_MOOD);
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
    expect(await change(id, { content: ANGRY }, ben)).toMatchObject({ content: ANGRY, ...NO_MOOD });
    expect(await write(api, ben, { content: CALM, mood: "proud" })).toMatchObject({ mood: "proud" });
    expect(model.requests).toEqual([]);
  });

  it("loses the mood of the old text if the model fails", async () => {
    const { id } = await write(api, ada, { content: CALM });
    model.mode("fail");
    expect(await change(id, { content: ANGRY })).toMatchObject({ content: ANGRY, ...NO_MOOD });
  });
});

it("without a model a found mood stays if the text changes, until its author removes it, and new entries have none", async () => {
  const { id } = await write(api, ada, { content: CALM });
  model.requests.length = 0;
  const client = clientOf(journalApp({ ...api.services, ai: null }).fetch);
  const put = async (of: string, body: object) => (await client.put(`/api/journal/${of}`, ada, body).ok()).entry;
  expect(await put(id, { content: ANGRY })).toMatchObject({ content: ANGRY, mood: "calm", mood_source: "ai" });
  expect(await put(id, { content: LIST, mood: null })).toMatchObject({ content: LIST, ...NO_MOOD });
  const { entry } = await client.post("/api/journal", ada, { title: "T", content: CALM }).created();
  expect(entry).toMatchObject(NO_MOOD);
  expect(await put(entry.id, { content: ANGRY })).toMatchObject({ content: ANGRY, ...NO_MOOD });
  expect(model.requests).toEqual([]);
});

describe("a mood that a model found", () => {
  type List = `/api/journal?${string}` | `/api/notebooks/${string}/entries`;
  const listed = async (path: List, as = ada) => (await api.get(path, as).ok()).entries;
  const idsOf = async (path: List, as = ada) => (await listed(path, as)).map(({ id }) => id);

  it("is metadata like one that the author chose: who may not see the content sees it, in all responses and filters", async () => {
    const ben = await api.person();
    const { notebook } = await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" }).created();
    const found = await write(api, ada, { content: CALM, notebook_id: notebook.id });
    const chosen = await write(api, ada, { content: ANGRY, mood: "calm", notebook_id: notebook.id });
    const withMood = `/api/journal?mood=CALM&notebook_id=${notebook.id}` as const;

    const byModel = { mood: "calm", mood_source: "ai", content_hidden: true };
    expect(await read(found.id, ben)).toMatchObject(byModel);
    expect(await read(chosen.id, ben)).toMatchObject({ mood: "calm", mood_source: "user" });
    expect(await listed(`/api/notebooks/${notebook.id}/entries`, ben)).toMatchObject([{ mood: "calm" }, byModel]);
    expect(await idsOf(withMood, ben)).toEqual([chosen.id, found.id]);
    expect(await idsOf(withMood)).toEqual([chosen.id, found.id]);

    await api.put(`/api/journal/${found.id}`, ada, { ai_excluded: true }).ok();
    expect(await read(found.id, ben)).toMatchObject(NO_MOOD);
    expect(await idsOf(withMood, ben)).toEqual([chosen.id]);
    await api.put(`/api/journal/${chosen.id}`, ada, { metadata_visibility: "user", inherit_visibility: false }).ok();
    expect(await idsOf(withMood, ben)).toEqual([]);
  });

  it("is ignored by filters once the author has chosen another", async () => {
    const entry = await write(api, ada, { content: ANGRY });
    await change(entry.id, { mood: "proud" });
    expect(await idsOf("/api/journal?mood=angry&scope=own")).not.toContain(entry.id);
    expect(await idsOf("/api/journal?mood=proud&scope=own")).toContain(entry.id);
  });
});
