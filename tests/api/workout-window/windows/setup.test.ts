import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());

const MORNING = { activityType: "cardio", windowStartTime: "08:00", windowEndTime: "10:00", timezone: "UTC" };
const EVENING = { ...MORNING, windowStartTime: "20:00", windowEndTime: "22:00" };
const MIDNIGHT = { ...MORNING, windowStartTime: "23:00", windowEndTime: "01:00", timezone: "Europe/Berlin" };

const asSettings = (start: string, end: string, timezone = "UTC") => ({
  activity_type: "cardio",
  custom_activity: null,
  window_start_time: start,
  window_end_time: end,
  timezone,
});

/** Sets a window at a time, and returns the stored window. */
async function set(person: Person, moment: string, setup: object) {
  api.at(moment);
  const body = await api.post("/api/workout-window/setup", person, setup).ok();
  return body.window;
}

/** The dates on which a person is matched, with the windows that count on them. */
async function matchedOn(person: Person) {
  const rows = await api.database.asUser(person.id, (tx) =>
    tx
      .selectFrom("chains")
      .select(["date", "window_starts_at", "window_ends_at"])
      .where("user_id", "=", person.id)
      .orderBy("date")
      .execute(),
  );
  return rows.map((row) => [row.date, row.window_starts_at.slice(0, 16), row.window_ends_at.slice(0, 16)]);
}

describe("the first POST /api/workout-window/setup", () => {
  it("counts from today if the window has not opened", async () => {
    const window = await set(ada, "2026-11-21T07:59:59Z", { ...MORNING, user_id: randomUUID(), is_active: false });
    expect(window).toEqual({
      ...asSettings("08:00", "10:00"),
      id: expect.any(String),
      user_id: ada.id,
      is_active: true,
      away: [],
      effective_from: "2026-11-21",
      previous: null,
      created_at: expect.any(String),
      updated_at: window.created_at,
    });
    expect((await api.get("/api/workout-window/my-window", ada)).body).toEqual({ window, location: null });
    expect(await matchedOn(ada)).toEqual([
      ["2026-11-21", "2026-11-21T08:00", "2026-11-21T10:00"],
      ["2026-11-22", "2026-11-22T08:00", "2026-11-22T10:00"],
    ]);
  });

  it.each([
    ["from today while it is open", "2026-11-21T09:59:59Z", MORNING, "2026-11-21"],
    ["from tomorrow once it has ended", "2026-11-21T10:00:00Z", MORNING, "2026-11-22"],
    ["from yesterday at half past midnight in a window from 23:00", "2026-11-20T23:30:00Z", MIDNIGHT, "2026-11-20"],
    ["from today at one o'clock after it", "2026-11-21T00:00:00Z", MIDNIGHT, "2026-11-21"],
    ["by the date of its zone", "2026-11-21T11:30:00Z", { ...EVENING, timezone: "Pacific/Kiritimati" }, "2026-11-22"],
  ])("counts %s", async (_, moment, setup, date) => {
    const person = await api.person();
    api.at(moment);
    const { body } = await api.post("/api/workout-window/setup", person, setup);
    expect(body.window.effective_from).toBe(date);
    expect(body.message).toContain(date);
    expect((await matchedOn(person))[0]?.[0]).toBe(date);
  });

  it("stores the name of a custom activity, and of no other", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    const other = { ...MORNING, activityType: "other", customActivity: "  Juggling " };
    expect(await set(ben, "2026-11-21T07:00:00Z", other)).toMatchObject({
      activity_type: "other",
      custom_activity: "Juggling",
    });
    const walk = { ...MORNING, activityType: "walk", customActivity: "x".repeat(101) };
    expect(await set(cleo, "2026-11-21T07:00:00Z", walk)).toMatchObject({
      activity_type: "walk",
      custom_activity: null,
    });
  });

  it("accepts windows until and across midnight, in all kinds of time zones", async () => {
    const person = await api.person();
    for (const [windowStartTime, windowEndTime, timezone] of [
      ["22:00", "00:00", "America/Argentina/Buenos_Aires"],
      ["22:01", "00:01", "Etc/GMT+5"],
      ["23:59", "01:59", "Asia/Kathmandu"],
      ["00:00", "02:00", "UTC"],
    ]) {
      const setup = { ...MORNING, windowStartTime, windowEndTime, timezone };
      expect(await set(person, "2026-11-21T12:00:00Z", setup)).toMatchObject({
        window_start_time: windowStartTime,
        window_end_time: windowEndTime,
        timezone,
      });
    }
  });

  it("creates one window from sixteen parallel requests", async () => {
    const person = await api.person();
    api.at("2026-11-21T07:00:00Z");
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        api.post("/api/workout-window/setup", person, n % 2 === 0 ? MORNING : EVENING),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.window.id)).size).toBe(1);
    const { body } = await api.get("/api/workout-window/my-window", person);
    expect(responses.map((response) => response.body.window.window_start_time)).toContain(
      body.window?.window_start_time,
    );
    // None of them had opened, so there is no earlier version.
    expect(body.window).toMatchObject({ effective_from: "2026-11-21", previous: null });
  });
});

describe("a change by POST /api/workout-window/setup", () => {
  it("counts from today until today's window opens, then from tomorrow", async () => {
    const person = await api.person();
    const first = await set(person, "2026-11-20T07:00:00Z", MORNING);
    const before = await set(person, "2026-11-21T07:59:59Z", EVENING);
    expect(before).toMatchObject({
      ...asSettings("20:00", "22:00"),
      id: first.id,
      effective_from: "2026-11-21",
      previous: asSettings("08:00", "10:00"),
    });
    expect(await matchedOn(person)).toEqual([
      ["2026-11-20", "2026-11-20T08:00", "2026-11-20T10:00"],
      ["2026-11-21", "2026-11-21T20:00", "2026-11-21T22:00"],
      ["2026-11-22", "2026-11-22T20:00", "2026-11-22T22:00"],
    ]);

    expect(await set(person, "2026-11-21T20:00:00Z", MORNING)).toMatchObject({
      effective_from: "2026-11-22",
      previous: asSettings("20:00", "22:00"),
    });
    expect((await matchedOn(person)).slice(1)).toEqual([
      ["2026-11-21", "2026-11-21T20:00", "2026-11-21T22:00"],
      ["2026-11-22", "2026-11-22T08:00", "2026-11-22T10:00"],
    ]);
  });

  it("keeps today's window through any number of changes for tomorrow", async () => {
    const person = await api.person();
    await set(person, "2026-11-20T07:00:00Z", MORNING);
    await set(person, "2026-11-21T09:00:00Z", EVENING);
    const walk = { ...EVENING, activityType: "walk" };
    expect(await set(person, "2026-11-21T09:01:00Z", walk)).toMatchObject({
      activity_type: "walk",
      effective_from: "2026-11-22",
      previous: asSettings("08:00", "10:00"),
    });
    // Back to the former window.
    expect(await set(person, "2026-11-21T09:02:00Z", MORNING)).toMatchObject({
      ...asSettings("08:00", "10:00"),
      effective_from: "2026-11-22",
      previous: asSettings("08:00", "10:00"),
    });
  });

  it("keeps today's window if the new one is already over", async () => {
    const person = await api.person();
    await set(person, "2026-11-20T07:00:00Z", EVENING);
    expect(await set(person, "2026-11-21T12:00:00Z", MORNING)).toMatchObject({
      effective_from: "2026-11-22",
      previous: asSettings("20:00", "22:00"),
    });
    expect(await matchedOn(person)).toEqual([
      ["2026-11-20", "2026-11-20T20:00", "2026-11-20T22:00"],
      ["2026-11-21", "2026-11-21T20:00", "2026-11-21T22:00"],
      ["2026-11-22", "2026-11-22T08:00", "2026-11-22T10:00"],
    ]);
  });

  it("counts from today if the first window was to start tomorrow", async () => {
    const person = await api.person();
    expect(await set(person, "2026-11-21T12:00:00Z", MORNING)).toMatchObject({ effective_from: "2026-11-22" });
    expect(await set(person, "2026-11-21T12:01:00Z", EVENING)).toMatchObject({
      effective_from: "2026-11-21",
      previous: null,
    });
  });

  it("counts from today at half past midnight, when yesterday's window is still open", async () => {
    const person = await api.person();
    await set(person, "2026-11-19T12:00:00Z", MIDNIGHT);
    expect(await set(person, "2026-11-20T23:30:00Z", { ...EVENING, timezone: "Europe/Berlin" })).toMatchObject({
      effective_from: "2026-11-21",
      previous: asSettings("23:00", "01:00", "Europe/Berlin"),
    });
  });

  it("gives no one two windows on one date after a move across time zones", async () => {
    const person = await api.person();
    await set(person, "2026-11-20T00:00:00Z", { ...MORNING, timezone: "Asia/Tokyo" });
    // 21 November, 11:00 in Tokyo, after the day's window; 20 November, 18:00, in Los Angeles.
    const window = await set(person, "2026-11-21T02:00:00Z", { ...EVENING, timezone: "America/Los_Angeles" });
    expect(window).toMatchObject({
      effective_from: "2026-11-22",
      previous: asSettings("08:00", "10:00", "Asia/Tokyo"),
    });
  });

  it("keeps an open first window after a move west, where the date is still yesterday", async () => {
    const person = await api.person();
    const times = { ...MORNING, windowStartTime: "00:00", windowEndTime: "02:00", timezone: "Pacific/Kiritimati" };
    expect(await set(person, "2026-11-20T22:00:00Z", times)).toMatchObject({ effective_from: "2026-11-22" });
    // Midnight of 22 November in Kiritimati; half past ten in the morning of the 21st in UTC.
    const window = await set(person, "2026-11-21T10:30:00Z", {
      ...MORNING,
      windowStartTime: "09:00",
      windowEndTime: "11:00",
    });
    expect(window).toMatchObject({
      effective_from: "2026-11-23",
      previous: asSettings("00:00", "02:00", "Pacific/Kiritimati"),
    });
    expect((await matchedOn(person))[0]).toEqual(["2026-11-22", "2026-11-21T10:00", "2026-11-21T12:00"]);
  });

  it("changes nothing if the values are the same", async () => {
    const person = await api.person();
    const first = await set(person, "2026-11-20T07:00:00Z", MORNING);
    expect(await set(person, "2026-11-21T09:00:00Z", MORNING)).toEqual(first);
  });
});

describe("what POST /api/workout-window/setup refuses", () => {
  it.each([
    ["no activity", { activityType: undefined }, ["activityType"]],
    ["an unknown activity", { activityType: "chess" }, ["activityType"]],
    ["another activity without a name", { activityType: "other" }, ["customActivity"]],
    ["another activity with a blank name", { activityType: "other", customActivity: "  " }, ["customActivity"]],
    ["a name of 101", { activityType: "other", customActivity: "x".repeat(101) }, ["customActivity"]],
    ["a name that is none", { activityType: "other", customActivity: 7 }, ["customActivity"]],
    ["a start without a zero", { windowStartTime: "8:00" }, ["windowStartTime"]],
    ["a start with seconds", { windowStartTime: "08:00:00" }, ["windowStartTime"]],
    ["24:00", { windowStartTime: "22:00", windowEndTime: "24:00" }, ["windowEndTime"]],
    ["12 hours", { windowStartTime: "08:00 AM" }, ["windowStartTime"]],
    ["119 minutes", { windowEndTime: "09:59" }, ["windowEndTime"]],
    ["121 minutes", { windowEndTime: "10:01" }, ["windowEndTime"]],
    ["an end before the start", { windowEndTime: "06:00" }, ["windowEndTime"]],
    ["no time", { windowEndTime: "08:00" }, ["windowEndTime"]],
    ["an abbreviation", { timezone: "EST" }, ["timezone"]],
    ["an abbreviation with a change", { timezone: "EST5EDT" }, ["timezone"]],
    ["an offset", { timezone: "+01:00" }, ["timezone"]],
    ["a zone that is not", { timezone: "Europe/Atlantis" }, ["timezone"]],
    ["a blank zone", { timezone: "" }, ["timezone"]],
    [
      "everything wrong at once",
      { activityType: "other", windowStartTime: "8:00", windowEndTime: 10, timezone: null },
      ["customActivity", "timezone", "windowEndTime", "windowStartTime"],
    ],
    [
      "a wrong length beside a wrong zone",
      { windowEndTime: "11:00", timezone: "CET", customActivity: 1 },
      ["customActivity", "timezone", "windowEndTime"],
    ],
  ])("%s", async (_, fields, paths) => {
    api.at("2026-11-21T07:00:00Z");
    await api.post("/api/workout-window/setup", ada, { ...MORNING, ...fields }).invalid(...paths);
  });
});

it("replays an Idempotency-Key, and refuses it with another body", async () => {
  const person = await api.person();
  const key = { "idempotency-key": "window-once" };
  api.at("2026-11-21T07:00:00Z");
  const first = await api.post("/api/workout-window/setup", person, MORNING, key);
  await api.post("/api/workout-window/setup", person, EVENING);
  const replay = await api.post("/api/workout-window/setup", person, MORNING, key);
  expect([replay.status, replay.body]).toEqual([200, first.body]);
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  await api.post("/api/workout-window/setup", person, EVENING, key).refused(409);
  // The replay only repeated the response: the later window stays.
  const { body } = await api.get("/api/workout-window/my-window", person);
  expect(body.window?.window_start_time).toBe("20:00");
});

it("shows no one another person's window", async () => {
  const [ben, cleo] = [await api.person(), await api.person()];
  await set(ben, "2026-11-21T07:00:00Z", MORNING);
  expect((await api.get("/api/workout-window/my-window", cleo)).body).toEqual({ window: null, location: null });
  const cleos = await set(cleo, "2026-11-21T07:00:00Z", EVENING);
  expect(cleos.user_id).toBe(cleo.id);
  const { body } = await api.get("/api/workout-window/my-window", ben);
  expect(body.window).toMatchObject({ user_id: ben.id, window_start_time: "08:00" });
});
