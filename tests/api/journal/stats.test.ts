import { describe, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

/** A Monday on which 2020 has been over for long. */
const MONDAY = "2020-03-02";

const readStats = async (query: string, as: Person = ada) =>
  (await api.get(`/api/journal/stats?${query}`, as).ok()).stats;

const writeOn = (entry_date: string, fields: Record<string, unknown> = {}) =>
  write(api, ada, { entry_date, ...fields });

describe("GET /api/journal/stats", () => {
  it("counts entries, words, days and weekdays of the range, both ends included", async () => {
    for (const [date = "", content] of [
      ["2020-03-01", "before"],
      [MONDAY, "one two three"],
      [MONDAY, "four"],
      ["2020-03-04", "five six"],
      ["2020-03-09", "seven"],
      ["2020-03-10", "after"],
    ]) {
      await writeOn(date, { content });
    }
    const stats = await readStats(`from=${MONDAY}&to=2020-03-09`);
    const counts = { entries: 4, words: 7, days_written: 3, current_streak: 0, longest_streak: 1 };
    expect(stats).toMatchObject({ from: MONDAY, to: "2020-03-09", ...counts });
    expect(stats.by_day).toEqual(
      [{ entries: 2, words: 4 }, {}, { entries: 1, words: 2 }, {}, {}, {}, {}, { entries: 1, words: 1 }].map(
        (ofDay, index) => ({ date: addDays(MONDAY, index), entries: 0, words: 0, mood: null, ...ofDay }),
      ),
    );
    expect(stats.by_weekday).toEqual([3, 0, 1, 0, 0, 0, 0].map((entries, index) => ({ weekday: index + 1, entries })));
  });

  it("is zero everywhere without entries", async () => {
    expect(await readStats(`from=${MONDAY}&to=${MONDAY}`)).toEqual({
      from: MONDAY,
      to: MONDAY,
      entries: 0,
      words: 0,
      days_written: 0,
      current_streak: 0,
      longest_streak: 0,
      moods: [],
      tags: [],
      by_day: [{ date: MONDAY, entries: 0, words: 0, mood: null }],
      by_weekday: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, entries: 0 })),
      wellness: { satisfaction_average: null, sleep_hours_average: null },
    });
  });

  it("counts moods whoever found them, in upper and lower case as one, in the latest spelling", async () => {
    for (const [date, mood] of [
      [MONDAY, "calm"],
      ["2020-03-03", "CALM"],
      ["2020-03-04", "Calm"],
      [MONDAY, null],
    ] as const) {
      await writeOn(date, { mood });
    }
    const found = await writeOn(MONDAY);
    await api.query`update nectar.journal_entries set mood = 'wistful', mood_source = 'ai' where id = ${found.id}`;
    const { moods, by_day } = await readStats(`from=${MONDAY}&to=2020-03-05`);
    expect(moods).toEqual([
      { mood: "Calm", count: 3 },
      { mood: "wistful", count: 1 },
    ]);
    expect(by_day.map(({ mood }) => mood)).toEqual(["wistful", "CALM", "Calm", null]);
  });

  it("takes the mood of a day that is the most frequent, and the last one of equally frequent ones", async () => {
    const moodOfDay = async () => (await readStats(`from=${MONDAY}&to=${MONDAY}`)).by_day[0]?.mood;
    for (const mood of ["sad", "calm", "Sad", "joyful"]) await writeOn(MONDAY, { mood });
    expect(await moodOfDay()).toBe("Sad");
    await writeOn(MONDAY, { mood: "joyful" });
    expect(await moodOfDay()).toBe("joyful");
  });

  it("names the 20 most used tags, in upper and lower case as one, in the latest spelling", async () => {
    const many = Array.from({ length: 20 }, (_, n) => `tag${n + 10}`);
    for (const tags of [["Walk", "rain"], ["walk"], many]) await writeOn(MONDAY, { tags });
    const { tags } = await readStats(`from=${MONDAY}&to=${MONDAY}`);
    expect(tags).toHaveLength(20);
    expect(tags.slice(0, 3)).toEqual([
      { tag: "walk", count: 2 },
      { tag: "rain", count: 1 },
      { tag: "tag10", count: 1 },
    ]);
  });

  it("averages the wellness entries of these days in the time zone of the profile", async () => {
    await api.put("/api/user/profile", ada, { timezone: "America/New_York" }).ok();
    for (const [type, value, at] of [
      ["satisfaction", 1, "2020-03-02T04:59:59Z"],
      ["satisfaction", 6, "2020-03-02T05:00:00Z"],
      ["satisfaction", 8, "2020-03-04T04:59:59Z"],
      ["satisfaction", 8, "2020-03-03T12:00:00Z"],
      ["satisfaction", 1, "2020-03-04T05:00:00Z"],
      ["sleep", 7.5, "2020-03-02T12:00:00Z"],
    ] as const) {
      const [rating, hours] = type === "sleep" ? [null, value] : [value, null];
      await api.query`insert into nectar.wellness_entries (user_id, type, rating, hours, created_at)
        values (${ada.id}, ${type}, ${rating}, ${hours}, ${at})`;
    }
    expect((await readStats(`from=${MONDAY}&to=2020-03-03`)).wellness).toEqual({
      satisfaction_average: 7.33,
      sleep_hours_average: 7.5,
    });
  });

  it.each([
    ["Pacific/Kiritimati", "2020-03-03"],
    ["America/New_York", MONDAY],
  ])("is about the last 30 days in the time zone of the profile by default: %s", async (timezone, today) => {
    await api.put("/api/user/profile", ada, { timezone }).ok();
    await write(api, ada, { entry_date: today });
    api.at("2020-03-02T22:00:00Z");
    const stats = await readStats("");
    expect(stats).toMatchObject({ from: addDays(today, -29), to: today, entries: 1, current_streak: 1 });
    expect(stats.by_day).toHaveLength(30);
    expect(await readStats("from=2020-03-01")).toMatchObject({ from: "2020-03-01", to: today });
    expect(await readStats("to=2019-12-31")).toMatchObject({ from: "2019-12-02", to: "2019-12-31" });
    expect(await readStats("to=0001-01-02")).toMatchObject({ from: "0001-01-01", to: "0001-01-02" });
  });

  it("covers at most 366 days, and refuses a range that ends before it begins, and what is no date", async () => {
    expect((await readStats("from=2020-01-01&to=2020-12-31")).by_day).toHaveLength(366);
    const refused = (query: string, ...fields: string[]) =>
      api.get(`/api/journal/stats?${query}`, ada).invalid(...fields);
    const { issues } = await refused("from=2019-12-31&to=2020-12-31", "from");
    expect(issues[0].message).toBe("must be at most 365 days before `to`");
    await refused(`from=${MONDAY}&to=2020-03-01`, "from");
    await refused("from=9999-01-01", "from");
    await refused("from=2020-02-30&to=today", "from", "to");
  });

  it("counts only one's own entries, hidden ones included, however visible those of others are", async () => {
    const [ben, root] = [await api.person(), await api.person({ role: "super_admin" })];
    await write(api, ben, { entry_date: MONDAY, metadata_visibility: "public", content_visibility: "public" });
    const hidden = await writeOn(MONDAY, { mood: "calm", content: "hidden words" });
    await api.query`update nectar.journal_entries set hidden_at = now() where id = ${hidden.id}`;
    const range = `from=${MONDAY}&to=${MONDAY}`;
    expect(await readStats(range)).toMatchObject({ entries: 1, words: 2, moods: [{ mood: "calm", count: 1 }] });
    expect(await readStats(range, ben)).toMatchObject({ entries: 1, words: 1, moods: [] });
    expect(await readStats(range, root)).toMatchObject({ entries: 0, words: 0 });
  });

  it("follows an entry to another day, and forgets one that is deleted", async () => {
    const entry = await writeOn(MONDAY, { content: "one" });
    await api.put(`/api/journal/${entry.id}`, ada, { entry_date: "2020-03-03", content: "one two" }).ok();
    const range = `from=${MONDAY}&to=2020-03-03`;
    expect((await readStats(range)).by_day.map(({ words }) => words)).toEqual([0, 2]);
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    expect(await readStats(range)).toMatchObject({ entries: 0, words: 0 });
  });
});

it.each([
  ["one", 1],
  ["  two\twords\n", 2],
  ["don't, well-known; 3.5", 3],
  ["a — b -- c • ### !?", 3],
  ["no\u00a0break\u2003space", 3],
  ["Grüße ans Œuvre, Ελλάδα и всё", 6],
  ["私は東京へ行きました。", 10],
  ["今天,天氣好!", 5],
  ["안녕하세요 세계", 2],
  ["漢字and latin", 4],
  ["🙂 ok", 2],
  ["…", 0],
])("the words of a content are counted: %j has %i", async (content, words) => {
  await writeOn(MONDAY, { content });
  expect((await readStats(`from=${MONDAY}&to=${MONDAY}`)).words).toBe(words);
});
