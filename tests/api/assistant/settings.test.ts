import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: "the-secret-of-the-game" } });
const SETTINGS = "/api/chat/settings";
const ANALYSIS = "/api/chat/analysis";
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());

describe("the assistant's settings", () => {
  it("are off by default, can be updated one by one, and are the same as in the profile", async () => {
    const settings = (read_notes_enabled: boolean, check_in_enabled: boolean) => ({
      settings: { read_notes_enabled, check_in_enabled },
    });
    expect(await api.get(SETTINGS, ada).ok()).toEqual(settings(false, false));
    const changed = await api.put(SETTINGS, ada, { read_notes_enabled: true, is_premium: true }).ok();
    expect(changed).toEqual(settings(true, false));
    const { profile } = await api.get("/api/user/profile", ada).ok();
    expect(profile).toMatchObject({ ...changed.settings, is_premium: false });
    await api.put("/api/user/profile", ada, { check_in_enabled: true });
    expect(await api.get(SETTINGS, ada).ok()).toEqual(settings(true, true));
    expect(await api.get(SETTINGS, ben).ok()).toEqual(settings(false, false));
  });
});

describe("the analyses of a person", () => {
  const days = ["2026-11-01", "2026-11-03", "2026-11-02"];
  const store = (person: Person) =>
    api.query`insert into nectar.note_analyses
        (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count)
      select ${person.id}, d::date, 'of ' || d, '{"overall": "calm", "direction": "steady", "moods": []}', '[]', '[]', 'r',
        '{"gratitude": [], "challenges": [], "goals": [], "achievements": []}', 1
      from unnest(${days}::text[]) d`;

  it("can be read by date, the latest by default, and are null if there is none", async () => {
    expect((await api.get(ANALYSIS, ada)).body).toEqual({ analysis: null });
    await store(ada);
    const latest = { analysis_date: "2026-11-03", summary: "of 2026-11-03", user_id: ada.id };
    expect((await api.get(ANALYSIS, ada)).body.analysis).toMatchObject(latest);
    expect((await api.get(`${ANALYSIS}?date=2026-11-02`, ada)).body.analysis?.analysis_date).toBe("2026-11-02");
    expect((await api.get(`${ANALYSIS}?date=2026-11-04`, ada)).body).toEqual({ analysis: null });
  });

  it.each(["2026-02-30", ""])("cannot be read for the date %j", async (date) => {
    await api.get(`${ANALYSIS}?date=${date}`, ada).refused(400);
  });

  it("are hidden from all other people, including super admins", async () => {
    await store(ada);
    const root = await api.person({ role: "super_admin" });
    for (const other of [ben, root]) {
      expect((await api.get(ANALYSIS, other)).body).toEqual({ analysis: null });
      await api.delete(ANALYSIS, other).ok();
    }
    expect((await api.get(ANALYSIS, ada)).body.analysis).not.toBeNull();
  });

  it("stay if reading is switched off, and are deleted only by the person", async () => {
    await store(ada);
    await store(ben);
    await api.put(SETTINGS, ada, { read_notes_enabled: true });
    await api.put(SETTINGS, ada, { read_notes_enabled: false });
    expect((await api.get(ANALYSIS, ada)).body.analysis).not.toBeNull();
    await api.delete(ANALYSIS, ada).ok();
    expect((await api.get(ANALYSIS, ada)).body).toEqual({ analysis: null });
    expect((await api.get(ANALYSIS, ben)).body.analysis).not.toBeNull();
    await api.delete(ANALYSIS, ada).ok();
  });
});
