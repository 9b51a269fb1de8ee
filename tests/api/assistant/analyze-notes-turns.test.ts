import { describe, expect, it } from "vitest";
import { ALREADY_RUNNING, OUT_OF_TIME } from "#http/jobs/jobs";
import { callJob, clockOfToday } from "#tests/assistant";
import { expireAllClaims } from "#tests/claims";
import { usageOf } from "#tests/models";
import { ANALYZE_NOTES, NOTHING, useAnalyzing } from "./analyzing.ts";

const { analysisOf, analyze, api, appWith, expireClaims, model, note, reader } = await useAnalyzing();

describe("a turn that fails", () => {
  it.each([
    ["fail", "1 person: the model did not respond.", 0],
    ["hang", "1 person: the model did not respond.", 0],
    ["prose", "1 person: the model's reply could not be used.", 1],
    ["refuse", "1 person: the model's reply could not be used.", 1],
  ] as const)("because the model would %s is tried three times a day", async (mode, error, usages) => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    model.mode(mode);
    const failing = () => analyze({}, mode === "hang" ? { modelTimeoutMs: 300 } : {});
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await failing()).toEqual({ total: 1, successful: 0, failed: 1, errors: [error] });
      expect(await usageOf(api, ada)).toHaveLength(usages * attempt);
      expect((await api.get("/api/user/ai-use", ada).ok()).uses).toHaveLength(attempt);
      await expireClaims();
    }
    expect(await failing()).toEqual({ ...NOTHING, errors: ["1 person: not tried again today after three failures."] });
    expect(model.requests).toHaveLength(3);
    expect(await analysisOf(ada)).toBeNull();
  });

  it("does not stop other turns", async () => {
    for (let n = 0; n < 12; n += 1) await note(await reader(), "A calm walk.");
    model.mode({ failEvery: 4 });
    const errors = ["3 people: the model did not respond."];
    expect(await analyze()).toEqual({ total: 12, successful: 9, failed: 3, errors });
    model.mode("normal");
    await expireClaims();
    expect(await analyze()).toEqual({ total: 3, successful: 3, failed: 0, errors: [] });
  });

  it("is tried again after twenty minutes, and then after two hours, so that it survives an outage of an hour", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    const clock = clockOfToday(2);
    const tried = async () => (await analyze({ clock }))?.total;
    model.mode("fail");
    expect(await tried()).toBe(1);
    // The clock also goes on by itself; one minute is left for the test.
    clock.advance(19);
    expect(await tried()).toBe(0);
    clock.advance(1);
    expect(await tried()).toBe(1);
    clock.advance(119);
    expect(await tried()).toBe(0);
    clock.advance(1);
    model.mode("normal");
    expect(await analyze({ clock })).toMatchObject({ total: 1, successful: 1 });
    expect(await analysisOf(ada)).not.toBeNull();
  });

  it("because its process died can be claimed again once its claim has expired", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    const { claimed } = await api.one`select claimed
      from private.claim_assistant_turns('note_analysis', ${api.services.clock.now()}, null, 5)`;
    expect(claimed).toEqual([ada.id]);
    expect(await analyze()).toMatchObject({ total: 0 });
    await expireClaims();
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
  });
});

describe("a run that another one has taken over", () => {
  it("continues beside the next run, and no turn is taken twice", async () => {
    for (let n = 0; n < 30; n += 1) await note(await reader(), "A calm walk.");
    const replies = model.replies();
    const run = () => callJob(appWith({}, { pauseMs: 200 }), ANALYZE_NOTES);
    const first = run();
    await expect.poll(async () => (await api.query`select from nectar.note_analyses`).length).toBeGreaterThan(0);
    await expireAllClaims(api);
    const second = await run();
    expect((await first).message).toBe(ALREADY_RUNNING);
    expect(second.message).toBe("done");
    expect(second.results?.successful).toBeGreaterThan(0);
    expect(second.results?.successful).toBeLessThan(30);
    expect(await analyze()).toEqual(NOTHING);
    expect(await api.query`select count(*)::int as count from nectar.note_analyses`).toEqual([{ count: 30 }]);
    expect(await api.query`select count(*)::int as count from nectar.token_usage`).toEqual([{ count: 30 }]);
    expect(model.replies() - replies).toBe(30);
  });
});

describe("a run of several batches", () => {
  it("stops between two batches when its time is up, and the next run continues", async () => {
    for (let n = 0; n < 12; n += 1) await note(await reader(), "A calm walk.");
    const start = api.services.clock.now();
    // The clock jumps during the first batch.
    const now = () => new Date(start.getTime() + (model.requests.length > 0 ? 240_000 : 0));
    expect(await analyze({ clock: { now } })).toEqual({ total: 5, successful: 5, failed: 0, errors: [OUT_OF_TIME] });
    expect(await analyze()).toMatchObject({ total: 7, successful: 7, errors: [] });
  });

  it("pauses between two batches", async () => {
    for (let n = 0; n < 11; n += 1) await note(await reader(), "A calm walk.");
    const started = Date.now();
    expect(await analyze({}, { pauseMs: 300 })).toMatchObject({ total: 11 });
    expect(Date.now() - started).toBeGreaterThanOrEqual(600);
  });
});
