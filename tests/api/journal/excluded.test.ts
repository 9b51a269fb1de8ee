import { describe, expect, it } from "vitest";
import { aiApp } from "#functions/assistant/tones/app";
import { journalApp } from "#functions/journal/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { useFileStore } from "#tests/file-store";
import { write } from "#tests/groups";
import { servicesMeanwhile, usageOf, useModel } from "#tests/models";
import { beforeTests } from "#tests/prepare";
import { ANGRY, CALM, changeEntry } from "./moods.ts";

const model = await useModel();
const api = useApi({ environment: { ...model.environment, ...(await useFileStore()) } });
const ada = beforeTests(() => api.person());

const change = (id: string, body: object) => changeEntry(api, ada, id, body);
const draw = (entry_id: string) => api.post("/api/ai/generate-background", ada, { entry_id });
const backgroundsOf = async (as = ada, query = "") =>
  (await api.get(`/api/ai/backgrounds?${query}`, as).ok()).backgrounds;
const NO_MOOD = { mood: null, mood_source: null };

describe("an excluded entry", () => {
  it("gets no mood from a model, neither when it is written nor when its content changes", async () => {
    const entry = await write(api, ada, { content: CALM, ai_excluded: true });
    expect(entry).toMatchObject({ ai_excluded: true, ...NO_MOOD });
    expect(await change(entry.id, { content: ANGRY })).toMatchObject(NO_MOOD);
    expect(await change(entry.id, { content: CALM, mood: "" })).toMatchObject(NO_MOOD);
    expect(await change(entry.id, { content: ANGRY, mood: "mine" })).toMatchObject({ mood: "mine" });
    expect(model.requests).toEqual([]);
  });

  it("gets no background", async () => {
    const { id } = await write(api, ada, { content: CALM, ai_excluded: true });
    await draw(id).refused(409, "journal.ai_excluded");
    expect(model.requests).toEqual([]);
    await change(id, { ai_excluded: false });
    await draw(id).ok();
  });

  it("is read again once it is included, but not before its content changes", async () => {
    const { id } = await write(api, ada, { content: CALM, ai_excluded: true });
    expect(await change(id, { ai_excluded: false })).toMatchObject(NO_MOOD);
    expect(model.requests).toEqual([]);
    expect(await change(id, { content: ANGRY })).toMatchObject({ mood: "angry", mood_source: "ai" });
  });
});

describe("excluding an entry", () => {
  it("removes the mood that a model found, also if the client sends it back", async () => {
    for (const alsoSent of [{}, { mood: "calm" }, { content: ANGRY }]) {
      const entry = await write(api, ada, { content: CALM });
      expect(entry).toMatchObject({ mood: "calm", mood_source: "ai" });
      expect(await change(entry.id, { ai_excluded: true, ...alsoSent })).toMatchObject(NO_MOOD);
    }
    expect(model.requests).toHaveLength(3);
  });

  it("keeps the mood that its author chose, and the background that they made", async () => {
    const { id } = await write(api, ada, { content: CALM, mood: "mine" });
    await draw(id).ok();
    expect(await change(id, { ai_excluded: true })).toMatchObject({ mood: "mine", mood_source: "user" });
    expect(await backgroundsOf(ada, `entry_id=${id}`)).toHaveLength(1);
  });

  it("during the search for a mood leaves it without one, but the call is recorded", async () => {
    const cleo = await api.person();
    const exclude = async () => {
      const { entries } = await api.get("/api/journal", cleo).ok();
      await api.put(`/api/journal/${entries[0]?.id}`, cleo, { ai_excluded: true }).ok();
    };
    const { send } = clientOf(journalApp(servicesMeanwhile(api, exclude)).fetch);
    await send("POST", "/api/journal", { as: cleo, body: { title: "Walk", content: CALM } }).created();
    expect((await api.get("/api/journal", cleo).ok()).entries).toMatchObject([{ ai_excluded: true, ...NO_MOOD }]);
    expect(await usageOf(api, cleo)).toHaveLength(1);
  });

  it("while a background is drawn is 409, and there is none, but the call is recorded", async () => {
    const cleo = await api.person();
    const { id } = await write(api, cleo, { content: CALM, mood: "mine" });
    const exclude = () => api.put(`/api/journal/${id}`, cleo, { ai_excluded: true }).ok();
    const { send } = clientOf(aiApp(servicesMeanwhile(api, exclude)).fetch);
    const drawn = send("POST", "/api/ai/generate-background", { as: cleo, body: { entry_id: id } });
    await drawn.refused(409, "journal.ai_excluded");
    expect(await backgroundsOf(cleo)).toEqual([]);
    expect(await usageOf(api, cleo)).toMatchObject([{ usage_type: "background_generation", reference_id: id }]);
  });

  it("while the model is busy is 409, and its text is not sent again", async () => {
    const { ai } = api.services;
    if (ai === null) throw new Error("There is no model.");
    const { id } = await write(api, ada, { content: CALM, mood: "mine" });
    const delayed: typeof ai.draw = (request) => {
      const beforeRetry = async () => {
        await change(id, { ai_excluded: true });
        await request.beforeRetry?.();
      };
      return ai.draw({ ...request, beforeRetry });
    };
    model.mode({ busyFor: 1 });
    const { send } = clientOf(aiApp({ ...api.services, ai: { ...ai, draw: delayed } }).fetch);
    const drawn = send("POST", "/api/ai/generate-background", { as: ada, body: { entry_id: id } });
    await drawn.refused(409, "journal.ai_excluded");
    expect(model.requests).toHaveLength(1);
  });
});

it("an entry of a notebook whose new entries are excluded is excluded when it is written there, and not when it moves", async () => {
  const body = { name: "Only mine", ai_excluded_default: true };
  const { id: notebook_id } = (await api.post("/api/notebooks", ada, body).created()).notebook;
  const excluded = await write(api, ada, { content: CALM, notebook_id });
  expect(excluded).toMatchObject({ ai_excluded: true, ...NO_MOOD });
  const included = await write(api, ada, { content: CALM, notebook_id, ai_excluded: false });
  expect(included).toMatchObject({ ai_excluded: false, mood: "calm" });
  expect(model.requests).toHaveLength(1);
  const outside = await write(api, ada, { content: CALM });
  expect(await change(outside.id, { notebook_id })).toMatchObject({ ai_excluded: false, mood: "calm" });
  expect(await change(excluded.id, { notebook_id: null })).toMatchObject({ ai_excluded: true });
});
