import { describe, expect, it } from "vitest";
import { servicesMeanwhile, usageOf } from "#tests/models";
import type { Person } from "#tests/people";
import { NOTHING, useAnalyzing } from "./analyzing.ts";

const { analysisOf, analyze, api, model, note, prompts, reader } = await useAnalyzing();

const exclude = (person: Person, id: string) => api.put(`/api/journal/${id}`, person, { ai_excluded: true }).ok();
const include = (person: Person, id: string) => api.put(`/api/journal/${id}`, person, { ai_excluded: false }).ok();
const sourcesOf = async (person: Person, query = "") =>
  (await api.get(`/api/chat/analysis/sources${query}`, person).ok()).sources;
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe("an excluded entry", () => {
  it("is in no analysis, and alone it is no reason to make one", async () => {
    const ada = await reader();
    const hidden = await note(ada, "A calm secret.");
    await exclude(ada, hidden);
    expect(await analyze()).toEqual(NOTHING);
    const shown = await note(ada, "A calm walk.");
    expect(await analyze()).toMatchObject({ successful: 1 });
    expect(prompts()).toEqual([expect.stringContaining("walk")]);
    expect(prompts()[0]).not.toContain("secret");
    expect(await analysisOf(ada)).toMatchObject({ entry_count: 1 });
    expect(idsOf(await sourcesOf(ada))).toEqual([shown]);
  });

  it("does not lead to another analysis when it changes", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    const hidden = await note(ada, "A calm secret.");
    await exclude(ada, hidden);
    expect(await analyze()).toMatchObject({ successful: 1 });
    await api.put(`/api/journal/${hidden}`, ada, { content: "Another secret." }).ok();
    expect(await analyze()).toMatchObject({ successful: 0 });
    await include(ada, hidden);
    expect(await analyze()).toMatchObject({ successful: 1 });
    expect(prompts().at(-1)).toContain("Another secret");
  });
});

describe("excluding an entry", () => {
  it("deletes every analysis that read it and no other one, and the next run makes one without it", async () => {
    const [ada, ben] = [await reader(), await reader()];
    const walk = await note(ada, "A calm walk.");
    await note(ben, "A calm day of Ben.");
    expect(await analyze()).toMatchObject({ successful: 2 });
    const ofToday = await analysisOf(ada);
    await api.query`update nectar.note_analyses set analysis_date = analysis_date - 1 where user_id = ${ada.id}`;
    await api.query`delete from private.assistant_turns`;
    await note(ada, "A calm evening.");
    await exclude(ada, walk);
    expect(ofToday).not.toBeNull();
    expect(await analysisOf(ada)).toBeNull();
    expect(await analysisOf(ben)).not.toBeNull();
    await api.query`delete from private.assistant_turns`;
    expect(await analyze()).toMatchObject({ successful: 2 });
    await exclude(ada, walk);
    expect(await analysisOf(ada)).toMatchObject({ entry_count: 1 });
  });

  it("also when the entry was in the trash since, and restored", async () => {
    const ada = await reader();
    const walk = await note(ada, "A calm walk.");
    const evening = await note(ada, "A calm evening.", "30 minutes");
    expect(await analyze()).toMatchObject({ successful: 1 });
    expect(idsOf(await sourcesOf(ada))).toEqual([evening, walk]);
    await api.delete(`/api/journal/${walk}`, ada).ok();
    expect(idsOf(await sourcesOf(ada))).toEqual([evening]);
    expect(await analysisOf(ada)).not.toBeNull();
    await api.post(`/api/journal/${walk}/restore`, ada).ok();
    expect(idsOf(await sourcesOf(ada))).toEqual([evening, walk]);
    await exclude(ada, walk);
    expect(await analysisOf(ada)).toBeNull();
  });

  it.each([
    ["excluded", exclude],
    ["deleted", (person: Person, id: string) => api.delete(`/api/journal/${id}`, person).ok()],
  ])(
    "during the call of the model: when a note is %s, no analysis is stored, but the call is recorded",
    async (_, act) => {
      const ada = await reader();
      const walk = await note(ada, "A calm walk.");
      await note(ada, "A calm evening.");
      expect(await analyze(servicesMeanwhile(api, () => act(ada, walk)))).toEqual(NOTHING);
      expect(await analysisOf(ada)).toBeNull();
      expect(await usageOf(api, ada)).toHaveLength(1);
      expect(await analyze()).toMatchObject({ successful: 1 });
      expect(idsOf(await sourcesOf(ada))).not.toContain(walk);
      expect(model.requests).toHaveLength(2);
    },
  );
});

describe("GET /api/chat/analysis/sources", () => {
  it("lists the entries that an analysis read, newest first, of a date or of the latest analysis", async () => {
    const [ada, ben] = [await reader(), await reader()];
    const walk = await note(ada, "A calm walk.");
    await analyze();
    const analysis = await analysisOf(ada);
    const { created_at } = (await api.get(`/api/journal/${walk}`, ada).ok()).entry;
    expect(await sourcesOf(ada)).toEqual([{ id: walk, title: "Day", created_at }]);
    expect(await sourcesOf(ada, `?date=${analysis?.analysis_date}`)).toHaveLength(1);
    expect(await sourcesOf(ada, "?date=2020-01-01")).toEqual([]);
    expect(await sourcesOf(ben)).toEqual([]);
  });

  it("lists the entries that were given to the model only, and those of the newer analysis of a day", async () => {
    const ada = await reader();
    for (let count = 0; count < 25; count += 1) await note(ada, `Calm ${"x".repeat(1_995)}`, `${count + 1} minutes`);
    await analyze();
    const { notes } = JSON.parse(prompts()[0] ?? "");
    expect(await sourcesOf(ada)).toHaveLength(notes.length);
    expect(notes.length).toBeLessThan(25);
    const newest = await note(ada, "A calm evening.", "0 minutes");
    await analyze();
    expect((await sourcesOf(ada))[0]).toMatchObject({ id: newest });
    expect(await sourcesOf(ada)).toHaveLength((await analysisOf(ada))?.entry_count ?? 0);
  });

  it("is 400 for a date that is none", async () => {
    await api.get("/api/chat/analysis/sources?date=2026-02-30", await reader()).invalid("date");
  });
});
