import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { nextMillisecond } from "#tests/moments";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());

const NOTHING = { rating: null, content: null, hours: null, quality: null, notes: null };

describe("POST /api/wellness-entries", () => {
  it.each([
    [{ type: "satisfaction", rating: 1 }, { rating: 1 }],
    [
      { type: "satisfaction", rating: 10, notes: " Good day " },
      { rating: 10, notes: "Good day" },
    ],
    [{ type: "satisfaction", rating: 5, notes: "" }, { rating: 5 }],
    [{ type: "action_note", content: " Called mum. " }, { content: "Called mum." }],
    [{ type: "sleep", hours: 0 }, { hours: 0 }],
    [
      { type: "sleep", hours: 24, quality: 5, notes: "Deep" },
      { hours: 24, quality: 5, notes: "Deep" },
    ],
    [{ type: "sleep", hours: 7.25, quality: null }, { hours: 7.25 }],
    [{ type: "sleep", hours: 6.1, rating: 9 }, { hours: 6.1 }],
  ])("creates %j", async (body, expected) => {
    const response = await api.post("/api/wellness-entries", ada, body).created();
    expect(response.wellness_entry).toMatchObject({ ...NOTHING, user_id: ada.id, type: body.type, ...expected });
  });

  it.each([
    [{}, "type"],
    [{ type: "mood" }, "type"],
    [{ type: "sleep", hours: 24.001 }, "hours"],
    [{ type: "sleep", hours: -0.001 }, "hours"],
  ])("refuses %j", async (body, path) => {
    await api.post("/api/wellness-entries", ada, body).invalid(path);
  });

  it.each([
    [7.333, 7.33],
    [7.335, 7.34],
    [1.005, 1.01],
    [23.999, 24],
    [0.1 + 0.2, 0.3],
    [1e-7, 0],
  ])("rounds %d hours of sleep to %d, stored as returned", async (hours, rounded) => {
    const cleo = await api.person();
    const body = await api.post("/api/wellness-entries", cleo, { type: "sleep", hours }).created();
    expect(body.wellness_entry.hours).toEqual(rounded);
    expect((await api.get("/api/wellness-entries", cleo)).body.wellness_entries).toEqual([body.wellness_entry]);
  });

  it("reports all problems at once", async () => {
    await api.post("/api/wellness-entries", ada, { type: "sleep", hours: 25, quality: 9 }).invalid("hours", "quality");
  });
});

describe("GET /api/wellness-entries", () => {
  it("lists only the caller's entries, newest first, by type", async () => {
    const ben = await api.person();
    const written = [];
    for (const fields of [{ rating: 3 }, { type: "sleep", hours: 8 }, { rating: 4 }]) {
      const response = await api.post("/api/wellness-entries", ben, { type: "satisfaction", ...fields }).created();
      written.unshift(response.wellness_entry);
      await nextMillisecond();
    }
    const list = async (query = "", as = ben) =>
      (await api.get(`/api/wellness-entries${query}` as const, as).ok()).wellness_entries;
    expect(await list()).toEqual(written);
    expect((await list("?type=satisfaction")).map((entry) => entry.rating)).toEqual([4, 3]);
    await api.get("/api/wellness-entries?type=mood", ben).refused(400);
    expect(await list("", await api.person())).toEqual([]);
  });
});

describe("PUT /api/wellness-entries/:id", () => {
  const written = async (body: object) => (await api.post("/api/wellness-entries", ada, body).created()).wellness_entry;

  it.each([
    [{ type: "satisfaction", rating: 3, notes: "Rain" }, { rating: 4 }, { rating: 4 }],
    [{ type: "satisfaction", rating: 3, notes: "Rain" }, { notes: null }, { notes: null }],
    [{ type: "action_note", content: "Ran" }, { content: " Walked ", rating: null }, { content: "Walked" }],
    [{ type: "sleep", hours: 7, quality: 2 }, { hours: 7.335 }, { hours: 7.34 }],
    [
      { type: "sleep", hours: 7, quality: 2 },
      { quality: null, notes: "Loud" },
      { quality: null, notes: "Loud" },
    ],
    [
      { type: "sleep", hours: 7, notes: "Short" },
      { type: "satisfaction", rating: 9 },
      { type: "satisfaction", rating: 9, hours: null },
    ],
  ])("corrects %j by %j", async (body, change, expected) => {
    const entry = await written(body);
    const { wellness_entry } = await api.put(`/api/wellness-entries/${entry.id}`, ada, change).ok();
    expect(wellness_entry).toEqual({ ...entry, ...expected });
    expect((await api.get("/api/wellness-entries", ada)).body.wellness_entries).toContainEqual(wellness_entry);
  });

  it.each([
    [{ type: "satisfaction", rating: 3 }, { rating: null }, "rating"],
    [{ type: "satisfaction", rating: 3 }, { rating: 11 }, "rating"],
    [{ type: "satisfaction", rating: 3 }, { hours: 8 }, "hours"],
    [{ type: "satisfaction", rating: 3 }, { type: "sleep" }, "hours"],
    [{ type: "action_note", content: "Ran" }, { notes: "Far" }, "notes"],
    [{ type: "sleep", hours: 7 }, { type: null }, "type"],
    [{ type: "sleep", hours: 7 }, {}, ""],
  ])("refuses to correct %j by %j", async (body, change, path) => {
    const entry = await written(body);
    await api.put(`/api/wellness-entries/${entry.id}`, ada, change).invalid(path);
    expect((await api.get("/api/wellness-entries?limit=1", ada)).body.wellness_entries).toEqual([entry]);
  });
});

describe("DELETE /api/wellness-entries/:id", () => {
  it("deletes the entry", async () => {
    const cleo = await api.person();
    const path = await pathOf(cleo);
    await api.delete(path, cleo).ok();
    expect((await api.get("/api/wellness-entries", cleo)).body.wellness_entries).toEqual([]);
    await api.delete(path, cleo).refused(404, "wellness_entry.not_found");
    await api.put(path, cleo, { hours: 8 }).refused(404, "wellness_entry.not_found");
  });

  it("is 404 for an entry of another user", async () => {
    const path = await pathOf(ada);
    const ben = await api.person({ role: "super_admin" });
    await api.put(path, ben, { hours: 8 }).refused(404, "wellness_entry.not_found");
    await api.delete(path, ben).refused(404, "wellness_entry.not_found");
    await api.delete(path, ada).ok();
  });

  async function pathOf(author: Person) {
    const { wellness_entry } = await api.post("/api/wellness-entries", author, { type: "sleep", hours: 7 }).created();
    return `/api/wellness-entries/${wellness_entry.id}` as const;
  }
});
