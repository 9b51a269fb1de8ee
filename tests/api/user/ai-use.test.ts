import { describe, expect, it } from "vitest";
import { aiApp } from "#functions/assistant/tones/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { useFileStore } from "#tests/file-store";
import { write } from "#tests/groups";
import { useModel } from "#tests/models";
import { beforeEachTest } from "#tests/prepare";

const model = await useModel();
const api = useApi({ environment: { ...model.environment, ...(await useFileStore()) } });
const CALM = "A calm walk, slow and relaxed.";
const ada = beforeEachTest(() => api.person());

const usesOf = async (person: { token: string }) => (await api.get("/api/user/ai-use", person).ok()).uses;

describe("GET /api/user/ai-use", () => {
  it("lists every call that was made for me, newest first, with the entry that it read and no text", async () => {
    const { id } = await write(api, ada, { content: CALM });
    await api.post("/api/ai/analyze-tone", ada, { content: CALM }).ok();
    await api.post("/api/ai/generate-background", ada, { entry_id: id }).ok();
    const [drawn, asked, found, ...others] = await usesOf(ada);
    expect(others).toEqual([]);
    expect(drawn).toMatchObject({ usage_type: "background_generation", entry_id: id });
    expect(asked).toMatchObject({ usage_type: "tone_analysis", entry_id: null });
    expect(found).toEqual({ at: expect.any(String), usage_type: "tone_analysis", model: asked?.model, entry_id: id });
    expect(JSON.stringify([drawn, asked, found])).not.toContain("calm");
    expect(await usesOf(await api.person({ role: "super_admin" }))).toEqual([]);
  });

  it("has no id of an entry that is in the trash, until it is restored", async () => {
    const { id } = await write(api, ada, { content: CALM });
    await api.delete(`/api/journal/${id}`, ada).ok();
    expect(await usesOf(ada)).toMatchObject([{ usage_type: "tone_analysis", entry_id: null }]);
    await api.post(`/api/journal/${id}/restore`, ada).ok();
    expect(await usesOf(ada)).toMatchObject([{ entry_id: id }]);
  });

  it("lists calls whose reply could not be used", async () => {
    model.mode("prose");
    await write(api, ada, { content: CALM });
    await api.post("/api/ai/analyze-tone", ada, { content: CALM }).refused(500);
    expect(await usesOf(ada)).toHaveLength(2);
  });

  it("lists a drawing without an image, and calls that failed, which count in no sum", async () => {
    const { ai } = api.services;
    if (ai === null) throw new Error("There is no model.");
    const draw: typeof ai.draw = async ({ quality }) => ({ png: null, model: "m", quality, costUsd: "0.040000" });
    const { send } = clientOf(aiApp({ ...api.services, ai: { ...ai, draw } }).fetch);
    const body = { content: CALM };
    expect(await send("POST", "/api/ai/generate-background", { as: ada, body })).toMatchObject({ status: 500 });
    expect(await usesOf(ada)).toMatchObject([{ usage_type: "background_generation", model: "m" }]);
    model.mode("fail");
    await api.post("/api/ai/generate-background", ada, body).refused(500);
    await api.post("/api/ai/analyze-tone", ada, body).refused(500);
    const { id } = await write(api, ada, body);
    const [found, asked, drawn, ...others] = await usesOf(ada);
    expect(found).toMatchObject({ usage_type: "tone_analysis", model: ai.textModel, entry_id: id });
    expect(asked).toMatchObject({ usage_type: "tone_analysis", model: ai.textModel, entry_id: null });
    expect(drawn).toMatchObject({ usage_type: "background_generation", model: ai.imageModel, entry_id: null });
    expect(others).toHaveLength(1);
    const { usage } = await api.get("/api/user/usage", ada).ok();
    expect(usage.breakdown).toMatchObject({ tone: { count: 0 }, images: { count: 1 } });
  });
});
