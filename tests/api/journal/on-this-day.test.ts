import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const writeAbout = async (...dates: readonly string[]) => {
  for (const date of dates) await write(api, ada, { title: date, entry_date: date });
};
const titlesOn = async (query: string) =>
  (await api.get(`/api/journal/on-this-day?${query}`, ada).ok()).entries.map(({ title }) => title);

describe("GET /api/journal/on-this-day", () => {
  it("lists entries about the same day and month of earlier years, latest first", async () => {
    await writeAbout("1900-11-22", "2024-11-22", "2019-11-22", "2025-11-22", "2024-11-21", "2024-10-22", "2023-11-23");
    const earlier = ["2024-11-22", "2019-11-22", "1900-11-22"];
    expect(await titlesOn("date=2025-11-22")).toEqual(earlier);
    expect(await titlesOn("date=2026-11-22")).toEqual(["2025-11-22", ...earlier]);
    for (const date of ["1900-11-22", "0001-11-22"]) expect(await titlesOn(`date=${date}`)).toEqual([]);
    expect(await titlesOn("date=9999-11-22")).toHaveLength(4);
  });

  it("shows 29 February also on 28 February of years without one", async () => {
    await writeAbout("2016-02-29", "2020-02-29", "2020-02-28", "2021-02-28", "2021-03-01", "2020-03-01");
    const both = ["2021-02-28", "2020-02-29", "2020-02-28", "2016-02-29"];
    // 1900 and 2100 have none.
    for (const date of ["2023-02-28", "2100-02-28"]) expect(await titlesOn(`date=${date}`)).toEqual(both);
    expect(await titlesOn("date=2024-02-28")).toEqual(["2021-02-28", "2020-02-28"]);
    expect(await titlesOn("date=2024-02-29")).toEqual(["2020-02-29", "2016-02-29"]);
    expect(await titlesOn("date=2023-03-01")).toEqual(["2021-03-01", "2020-03-01"]);
  });

  it.each([
    ["Pacific/Kiritimati", "2019-03-03"],
    ["America/New_York", "2019-03-02"],
  ])("is about today in the time zone of the profile by default: %s", async (timezone, expected) => {
    await api.put("/api/user/profile", ada, { timezone }).ok();
    await writeAbout("2019-03-01", "2019-03-02", "2019-03-03");
    api.at("2020-03-02T22:00:00Z");
    expect(await titlesOn("")).toEqual([expected]);
  });

  it("lists only one's own entries, hidden ones included, with all fields", async () => {
    const [ben, root] = [await api.person(), await api.person({ role: "super_admin" })];
    const fields = { entry_date: "2020-05-05", metadata_visibility: "public", content_visibility: "public" };
    const { id } = await write(api, ada, { ...fields, mood: "calm", tags: ["walk"] });
    await api.query`update nectar.journal_entries set hidden_at = now() where id = ${id}`;
    const { pictures: _, ...entry } = (await api.get(`/api/journal/${id}`, ada).ok()).entry;
    expect(entry.moderation).toBe("hidden");
    expect(await api.get("/api/journal/on-this-day?date=2026-05-05", ada).ok()).toEqual({ entries: [entry] });
    for (const other of [ben, root]) {
      expect(await api.get("/api/journal/on-this-day?date=2026-05-05", other).ok()).toEqual({ entries: [] });
    }
  });

  it("lists at most 100 entries, and those of a day by their creation, newest first", async () => {
    await api.query`insert into nectar.journal_entries (user_id, title, entry_date, created_at)
      select ${ada.id}, n::text, '2020-05-05', now() - make_interval(mins => n) from generate_series(1, 110) n`;
    expect(await titlesOn("date=2026-05-05")).toEqual(Array.from({ length: 100 }, (_, n) => String(n + 1)));
  });

  it("refuses what is no date", async () => {
    for (const date of ["2026-02-29", "05-05", ""]) {
      await api.get(`/api/journal/on-this-day?date=${date}`, ada).invalid("date");
    }
  });
});
