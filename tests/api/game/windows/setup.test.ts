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

const asSettings = (window_start_time: string, window_end_time: string) => {
  return { activity_type: "cardio", custom_activity: null, window_start_time, window_end_time, timezone: "UTC" };
};

/** Sets a window at a time, and returns the stored window. */
async function set(person: Person, moment: string, setup: object) {
  api.at(moment);
  const body = await api.post("/api/workout-window/setup", person, setup).ok();
  return body.window;
}

/** The dates on which a person is matched, with the windows that count on them. */
async function matchedOn(person: Person) {
  const rows = await api.query<{ date: string; starts: Date; ends: Date }>`
    select date::text, window_starts_at as starts, window_ends_at as ends from nectar.chains
    where user_id = ${person.id} order by date`;
  return rows.map(({ date, starts, ends }) => [date, ...[starts, ends].map((at) => at.toISOString().slice(0, 16))]);
}

describe("the first POST /api/workout-window/setup", () => {
  it("counts from today if the window has not opened", async () => {
    const window = await set(ada, "2026-11-21T07:59:59Z", { ...MORNING, user_id: randomUUID(), is_active: false });
    const active = { user_id: ada.id, is_active: true, away: [], effective_from: "2026-11-21", previous: null };
    expect(window).toMatchObject({ ...asSettings("08:00", "10:00"), ...active });
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
    const bens = await set(ben, "2026-11-21T07:00:00Z", other);
    expect(bens).toMatchObject({ activity_type: "other", custom_activity: "Juggling" });
    const walk = { ...MORNING, activityType: "walk", customActivity: "x".repeat(101) };
    const cleos = await set(cleo, "2026-11-21T07:00:00Z", walk);
    expect(cleos).toMatchObject({ activity_type: "walk", custom_activity: null });
  });

  it("accepts windows until and across midnight, in all kinds of time zones", async () => {
    const person = await api.person();
    for (const [windowStartTime, windowEndTime, timezone, stored = timezone] of [
      ["22:00", "00:00", "America/Argentina/Buenos_Aires"],
      ["22:01", "00:01", "Etc/GMT+5"],
      ["06:30", "08:30", "Asia/Saigon", "Asia/Ho_Chi_Minh"],
      ["23:59", "01:59", "Asia/Kathmandu"],
      ["00:00", "02:00", "UTC"],
    ]) {
      const setup = { ...MORNING, windowStartTime, windowEndTime, timezone };
      const window = await set(person, "2026-11-21T12:00:00Z", setup);
      expect([window.window_start_time, window.window_end_time]).toEqual([windowStartTime, windowEndTime]);
      expect(window.timezone).toBe(stored);
    }
  });

  it("creates one window from sixteen parallel requests", async () => {
    const person = await api.person();
    api.at("2026-11-21T07:00:00Z");
    const send = (n: number) => api.post("/api/workout-window/setup", person, n % 2 === 0 ? MORNING : EVENING).ok();
    const windows = (await Promise.all(Array.from({ length: 16 }, (_, n) => send(n)))).map(({ window }) => window);
    expect(new Set(windows.map(({ id }) => id)).size).toBe(1);
    const { window } = await api.get("/api/workout-window/my-window", person).ok();
    expect(windows.map(({ window_start_time }) => window_start_time)).toContain(window?.window_start_time);
    // None of them had opened, so there is no earlier version.
    expect(window).toMatchObject({ effective_from: "2026-11-21", previous: null });
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

    const tomorrow = { effective_from: "2026-11-22", previous: asSettings("20:00", "22:00") };
    expect(await set(person, "2026-11-21T20:00:00Z", MORNING)).toMatchObject(tomorrow);
    expect((await matchedOn(person)).slice(1)).toEqual([
      ["2026-11-21", "2026-11-21T20:00", "2026-11-21T22:00"],
      ["2026-11-22", "2026-11-22T08:00", "2026-11-22T10:00"],
    ]);
  });

  it("changes nothing if the values are the same", async () => {
    const person = await api.person();
    const first = await set(person, "2026-11-20T07:00:00Z", MORNING);
    expect(await set(person, "2026-11-21T09:00:00Z", MORNING)).toEqual(first);
  });
});

describe("what POST /api/workout-window/setup refuses", () => {
  it.each([
    ["another activity without a name", { activityType: "other" }, ["customActivity"]],
    ["another activity with a blank name", { activityType: "other", customActivity: "  " }, ["customActivity"]],
    ["a start without a zero", { windowStartTime: "8:00" }, ["windowStartTime"]],
    ["24:00", { windowStartTime: "22:00", windowEndTime: "24:00" }, ["windowEndTime"]],
    ["119 minutes", { windowEndTime: "09:59" }, ["windowEndTime"]],
    ["121 minutes", { windowEndTime: "10:01" }, ["windowEndTime"]],
    ["an abbreviation", { timezone: "EST" }, ["timezone"]],
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

it("shows no one another person's window", async () => {
  const [ben, cleo] = [await api.person(), await api.person()];
  await set(ben, "2026-11-21T07:00:00Z", MORNING);
  expect((await api.get("/api/workout-window/my-window", cleo)).body).toEqual({ window: null, location: null });
  expect((await set(cleo, "2026-11-21T07:00:00Z", EVENING)).user_id).toBe(cleo.id);
  const { window } = await api.get("/api/workout-window/my-window", ben).ok();
  expect(window).toMatchObject({ user_id: ben.id, window_start_time: "08:00" });
});
