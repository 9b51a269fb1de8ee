import { describe, expect, it } from "vitest";
import { aiApp } from "#functions/ai/app";
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
    expect((await draw(id).refused(409)).code).toBe("journal.ai_excluded");
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
    expect((await api.get(`/api/ai/backgrounds?entry_id=${id}`, ada).ok()).backgrounds).toHaveLength(1);
  });

  it("during the search for a mood leaves it without one, but the call is recorded", async () => {
    const cleo = await api.person();
    const exclude = async () => {
      const { entries } = await api.get("/api/journal", cleo).ok();
      await api.put(`/api/journal/${entries[0]?.id}`, cleo, { ai_excluded: true }).ok();
    };
    const { send } = clientOf(journalApp(servicesMeanwhile(api, exclude)).fetch);
    const written = await send("POST", "/api/journal", { as: cleo, body: { title: "Walk", content: CALM } });
    expect(written.status).toBe(201);
    expect((await api.get("/api/journal", cleo).ok()).entries).toMatchObject([{ ai_excluded: true, ...NO_MOOD }]);
    expect(await usageOf(api, cleo)).toHaveLength(1);
  });

  it("while a background is drawn is 409, and there is none, but the call is recorded", async () => {
    const cleo = await api.person();
    const { id } = await write(api, cleo, { content: CALM, mood: "mine" });
    const exclude = () => api.put(`/api/journal/${id}`, cleo, { ai_excluded: true }).ok();
    const { send } = clientOf(aiApp(servicesMeanwhile(api, exclude)).fetch);
    const drawn = await send("POST", "/api/ai/generate-background", { as: cleo, body: { entry_id: id } });
    expect(drawn).toMatchObject({ status: 409, body: { code: "journal.ai_excluded" } });
    expect((await api.get("/api/ai/backgrounds", cleo).ok()).backgrounds).toEqual([]);
    expect(await usageOf(api, cleo)).toMatchObject([{ usage_type: "background_generation", reference_id: id }]);
  });
});

describe("excluding an entry while the model is busy", () => {
  it("is 409, and its text is not sent again", async () => {
    const { ai } = api.services;
    if (ai === null) throw new Error("There is no model.");
    const { id } = await write(api, ada, { content: CALM, mood: "mine" });
    const draw: typeof ai.draw = (request) => {
      const beforeRetry = async () => {
        await change(id, { ai_excluded: true });
        await request.beforeRetry?.();
      };
      return ai.draw({ ...request, beforeRetry });
    };
    model.mode({ busyFor: 1 });
    const { send } = clientOf(aiApp({ ...api.services, ai: { ...ai, draw } }).fetch);
    const drawn = await send("POST", "/api/ai/generate-background", { as: ada, body: { entry_id: id } });
    expect(drawn).toMatchObject({ status: 409, body: { code: "journal.ai_excluded" } });
    expect(model.requests).toHaveLength(1);
  });
});

describe("a notebook whose new entries are excluded", () => {
  const notebook = beforeTests(async () => {
    const body = { name: "Only mine", ai_excluded_default: true };
    return (await api.post("/api/notebooks", ada, body).created()).notebook;
  });

  it("excludes an entry that is written into it, unless the request says otherwise", async () => {
    const inside = { content: CALM, notebook_id: notebook.id };
    expect(await write(api, ada, inside)).toMatchObject({ ai_excluded: true, ...NO_MOOD });
    expect(await write(api, ada, { ...inside, ai_excluded: false })).toMatchObject({
      ai_excluded: false,
      mood: "calm",
    });
    expect(model.requests).toHaveLength(1);
  });

  it("changes nothing for entries that are moved into it or out of it, or that are in it already", async () => {
    const outside = await write(api, ada, { content: CALM });
    expect(await change(outside.id, { notebook_id: notebook.id })).toMatchObject({ ai_excluded: false, mood: "calm" });
    const inside = await write(api, ada, { content: CALM, notebook_id: notebook.id });
    expect(await change(inside.id, { notebook_id: null })).toMatchObject({ ai_excluded: true });
    await api.put(`/api/notebooks/${notebook.id}`, ada, { ai_excluded_default: false }).ok();
    expect((await api.get(`/api/journal/${outside.id}`, ada).ok()).entry).toMatchObject({ ai_excluded: false });
    await api.put(`/api/notebooks/${notebook.id}`, ada, { ai_excluded_default: true }).ok();
  });
});
