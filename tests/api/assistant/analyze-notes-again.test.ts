import { describe, expect, it } from "vitest";
import { utcDate } from "#core/time/calendar-date";
import type { Database } from "#database/database";
import { clockOfToday } from "#tests/assistant";
import { usageOf } from "#tests/models";
import { NOTHING, useAnalyzing } from "./analyzing.ts";

const { analysisOf, analyze, api, expireClaims, model, note, prompts, reader } = await useAnalyzing();

describe("the second analysis of a day", () => {
  it("is made once there is a new or an edited note", async () => {
    const ada = await reader();
    const id = await note(ada, "A calm walk.");
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    const first = await analysisOf(ada);
    expect(await analyze()).toMatchObject({ total: 0 });
    await note(ada, "A second note, about work.", "1 minute");
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    const second = await analysisOf(ada);
    expect(second).toMatchObject({ id: first?.id, entry_count: 2, created_at: first?.created_at });
    await api.put(`/api/journal/${id}`, ada, { content: "A stormy sea." });
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    expect((await analysisOf(ada))?.topics).toContain("nature");
    expect(await analyze()).toMatchObject({ total: 0 });
    expect(await api.query`select count(*)::int as count from nectar.note_analyses`).toEqual([{ count: 1 }]);
    expect(await usageOf(api, ada)).toHaveLength(3);
  });

  it("is not made for notes that were saved without a change, or got another mood, tag or notebook", async () => {
    const ada = await reader();
    const id = await note(ada, "A calm walk.");
    expect(await analyze()).toMatchObject({ successful: 1 });
    const notebook = (await api.post("/api/notebooks", ada, { name: "Walks" })).body.notebook.id;
    for (const body of [
      { title: "Day", content: "A calm walk." },
      { mood: "happy" },
      { tags: ["walks"] },
      { notebook_id: notebook },
      { title: "Evening" },
      { title: "Day" },
    ]) {
      await api.put(`/api/journal/${id}`, ada, body).ok();
    }
    expect(await analyze()).toEqual(NOTHING);
    expect(await usageOf(api, ada)).toHaveLength(1);
  });

  it("is made for another title and for a deleted note, unless it was the last", async () => {
    const ada = await reader();
    const id = await note(ada, "A calm walk.");
    const last = await note(ada, "A stormy sea.");
    expect(await analyze()).toMatchObject({ successful: 1 });
    await api.put(`/api/journal/${id}`, ada, { title: "Evening" });
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    await api.delete(`/api/journal/${id}`, ada);
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    expect((await analysisOf(ada))?.entry_count).toBe(1);
    await api.delete(`/api/journal/${last}`, ada);
    expect(await analyze(), "once there are no notes").toMatchObject({ total: 0 });
  });

  it("is not made only because a note has become older than seven days", async () => {
    const ada = await reader();
    await note(ada, "Soon a week old.", "6 days 23 hours");
    await note(ada, "A calm walk.");
    expect(await analyze()).toMatchObject({ total: 1 });
    api.at(clockOfToday(14).now());
    expect(await analyze()).toMatchObject({ total: 0 });
    await note(ada, "Another one.", "1 minute");
    expect(await analyze()).toMatchObject({ total: 1 });
    expect(prompts().map((prompt) => prompt.includes("Soon a week old"))).toEqual([true, false]);
  });

  it("may be followed by a third, but no fourth; failed calls and deleted analyses do not change that", async () => {
    const ada = await reader();
    await note(ada, "Note 1");
    expect(await analyze()).toMatchObject({ successful: 1 });
    const first = await analysisOf(ada);
    await note(ada, "Note 2");
    for (const mode of ["fail", "prose"] as const) {
      model.mode(mode);
      expect(await analyze()).toMatchObject({ total: 1, failed: 1 });
      expect(await analysisOf(ada)).toEqual(first);
      await expireClaims();
    }
    model.mode("normal");
    expect(await analyze()).toMatchObject({ successful: 1 });
    await api.delete("/api/chat/analysis", ada).ok();
    expect(await analyze(), "without a new note").toMatchObject({ total: 0 });
    expect(await analysisOf(ada)).toBeNull();
    await note(ada, "Note 3");
    expect(await analyze()).toMatchObject({ successful: 1 });
    await note(ada, "Note 4");
    expect(await analyze()).toEqual(NOTHING);
    expect((await analysisOf(ada))?.entry_count).toBe(3);
    await api.delete("/api/chat/analysis", ada).ok();
    await note(ada, "Note 5");
    expect(await analyze()).toMatchObject({ total: 0 });
    // The next day may have three as well.
    await api.query`update private.assistant_turns set day = day - 1`;
    expect(await analyze()).toMatchObject({ successful: 1 });
  });

  it("replaces the first one only on the same UTC day; the next day has its own analysis", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    const today = api.services.clock.now();
    const tomorrow = new Date(today.getTime() + 86_400_000);
    expect(await analyze()).toMatchObject({ successful: 1 });
    api.at(tomorrow);
    expect(await analyze()).toMatchObject({ successful: 1 });
    expect(await analyze()).toMatchObject({ total: 0 });
    const days = await api.query`select analysis_date::text as day from nectar.note_analyses order by 1`;
    expect(days.map(({ day }) => day)).toEqual([today, tomorrow].map(utcDate));
    const first = days[0]?.day;
    expect((await api.get(`/api/chat/analysis?date=${first}`, ada)).body.analysis?.analysis_date).toBe(first);
  });

  it("belongs to the day on which the turn was claimed, even if midnight comes before the notes are read", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    const midnight = new Date(`${utcDate(api.services.clock.now())}T00:00:00Z`).getTime() + 86_400_000;
    let now = new Date(midnight - 1);
    const database: Database = {
      ...api.services.database,
      async asService(work) {
        const result = await api.services.database.asService(work);
        if (Object(result).claimed?.includes(ada.id)) now = new Date(midnight);
        return result;
      },
    };
    for (const successful of [1, 1, 0]) {
      expect(await analyze({ database, clock: { now: () => now } })).toMatchObject({ successful });
    }
    const days = await api.query`select analysis_date::text as day from nectar.note_analyses order by 1`;
    expect(days.map(({ day }) => day)).toEqual([midnight - 1, midnight].map((moment) => utcDate(new Date(moment))));
  });
});
