import { describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { beforeTests } from "../../support/prepare.ts";

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
    [{ type: "satisfaction" }, "rating"],
    [{ type: "satisfaction", rating: 0 }, "rating"],
    [{ type: "satisfaction", rating: 11 }, "rating"],
    [{ type: "satisfaction", rating: 5.5 }, "rating"],
    [{ type: "satisfaction", rating: "5" }, "rating"],
    [{ type: "satisfaction", rating: 5, notes: "x".repeat(2001) }, "notes"],
    [{ type: "action_note", content: " " }, "content"],
    [{ type: "action_note", content: "x".repeat(5001) }, "content"],
    [{ type: "sleep" }, "hours"],
    [{ type: "sleep", hours: -0.5 }, "hours"],
    [{ type: "sleep", hours: 24.5 }, "hours"],
    [{ type: "sleep", hours: 24.001 }, "hours"],
    [{ type: "sleep", hours: -0.001 }, "hours"],
    [{ type: "sleep", hours: 8, quality: 6 }, "quality"],
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
    const { body } = await api.post("/api/wellness-entries", ada, { type: "sleep", hours: 25, quality: 9 });
    expect(body.issues.map((issue) => issue.path)).toEqual(["hours", "quality"]);
  });

  it("creates one entry for one Idempotency-Key", async () => {
    const ben = await api.person();
    const send = () =>
      api.post("/api/wellness-entries", ben, { type: "sleep", hours: 8 }, { "idempotency-key": "night-1" });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await api.get("/api/wellness-entries", ben)).body.wellness_entries).toEqual([first.body.wellness_entry]);
  });
});

describe("GET /api/wellness-entries", () => {
  it("lists only the caller's entries, newest first, by type and page", async () => {
    const ben = await api.person();
    const bodies = [
      { type: "satisfaction", rating: 3 },
      { type: "sleep", hours: 8 },
      { type: "satisfaction", rating: 4 },
    ];
    const written = [];
    for (const body of bodies)
      written.unshift((await api.post("/api/wellness-entries", ben, body)).body.wellness_entry);
    const first = (await api.get("/api/wellness-entries?limit=2", ben)).body;
    expect(first.wellness_entries).toEqual(written.slice(0, 2));
    const rest = (await api.get(`/api/wellness-entries?limit=2&cursor=${first.next_cursor}`, ben)).body;
    expect(rest).toEqual({ wellness_entries: written.slice(2), next_cursor: null });
    const ratings = (await api.get("/api/wellness-entries?type=satisfaction", ben)).body.wellness_entries;
    expect(ratings.map((entry) => entry.rating)).toEqual([4, 3]);
    await api.get("/api/wellness-entries?type=mood", ben).refused(400);
    expect((await api.get("/api/wellness-entries", await api.person())).body.wellness_entries).toEqual([]);
  });
});
