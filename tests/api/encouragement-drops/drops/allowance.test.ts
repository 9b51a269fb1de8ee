import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { giveBonus, ROOM, sendTo, setRules } from "../sending.ts";

const api = useApi();
const bob = beforeTests(() => api.person());
beforeEach(() =>
  setRules(api, {
    daily_allowance: 5,
    bonus_drops_per_engagement: 2,
    engagement_window_hours: 24,
    max_custom_drops_per_day: 3,
  }),
);
const ada = beforeEachTest(() => api.person());

const MONDAY = "2026-11-23";
const TUESDAY = "2026-11-24";
const WEDNESDAY = "2026-11-25";

/** The allowance as `[daily, used, bonus, available]`. */
async function readCounts() {
  const allowance = await api.get(`${ROOM}/my-drops`, ada).ok();
  return [allowance.daily_allowance, allowance.drops_used, allowance.bonus_drops_earned, allowance.total_available];
}

/** Sends drops and returns the statuses. */
async function send(count: number) {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await sendTo(api, ada, bob)).status);
  return statuses;
}

it("the allowance is that of the UTC day", async () => {
  api.at(`${MONDAY}T12:00:00.000Z`);
  expect(await api.get(`${ROOM}/my-drops`, ada).ok()).toEqual({
    date: MONDAY,
    daily_allowance: 5,
    drops_used: 0,
    bonus_drops_earned: 0,
    total_available: 5,
    custom_drops_used: 0,
    max_custom_drops_per_day: 3,
    resets_at: `${TUESDAY}T00:00:00.000Z`,
  });
});

describe("midnight in UTC", () => {
  it("starts a new day at its first millisecond, where Retry-After leads", async () => {
    api.at(`${MONDAY}T23:59:59.999Z`);
    expect(await send(5)).toEqual([201, 201, 201, 201, 201]);
    const refused = await sendTo(api, ada, bob);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    api.at(`${TUESDAY}T00:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 0, 5]);
    const sent = await sendTo(api, ada, bob);
    expect(sent.body.drop).toMatchObject({ date_sent: TUESDAY, created_at: `${TUESDAY}T00:00:00.000Z` });
    expect(sent.body.allowance).toMatchObject({ date: TUESDAY, resets_at: `${WEDNESDAY}T00:00:00.000Z` });
  });

  it("is 86,400 seconds away at the first moment of a day", async () => {
    await setRules(api, { daily_allowance: 0 });
    const seconds = { "00:00:00.000": "86400", "00:00:00.001": "86400", "23:00:00.000": "3600" };
    for (const [time, expected] of Object.entries(seconds)) {
      api.at(`${MONDAY}T${time}Z`);
      expect((await sendTo(api, ada, bob)).headers.get("retry-after"), time).toBe(expected);
    }
  });

  it("resets drops with own text too", async () => {
    api.at(`${MONDAY}T10:00:00.000Z`);
    const sendOwn = () => sendTo(api, ada, bob, { content: "Hi" });
    for (let sent = 0; sent < 3; sent += 1) await sendOwn().created();
    expect((await sendOwn()).headers.get("retry-after")).toBe(String(14 * 3600));
    api.at(`${TUESDAY}T10:00:00.000Z`);
    await sendOwn().created();
  });
});

describe("the rest of a bonus", () => {
  // Earned on Monday; sent on Monday; left at the start of Tuesday; sent on Tuesday.
  const CASES: readonly [name: string, bonus: number, onMonday: number, tuesday: number, onTuesday: number][] = [
    ["nothing was sent", 4, 0, 4, 0],
    ["the allowance covered all", 4, 5, 4, 2],
    ["a part of it was used", 4, 7, 2, 7],
    ["all of it was used", 4, 9, 0, 5],
    ["there was none", 0, 3, 0, 3],
  ];
  it.each(CASES)("is carried to the next day and no further: %s", async (_, bonus, onMonday, tuesday, onTuesday) => {
    api.at(`${MONDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, bonus);
    expect(await readCounts()).toEqual([5, 0, bonus, 5 + bonus]);
    expect(await send(onMonday)).toEqual(Array(onMonday).fill(201));
    api.at(`${TUESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, tuesday, 5 + tuesday]);
    expect(await send(onTuesday)).toEqual(Array(onTuesday).fill(201));
    expect(await readCounts()).toEqual([5, onTuesday, tuesday, 5 + tuesday - onTuesday]);
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 0, 5]);
    expect((await send(6)).at(-1)).toBe(429);
  });

  it("is used before the bonus of the day itself, which is then carried", async () => {
    api.at(`${MONDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${TUESDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${TUESDAY}T08:00:00.000Z`, 2);
    expect(await readCounts()).toEqual([5, 0, 4, 9]);
    expect(await send(8)).toEqual(Array(8).fill(201));
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 1, 6]);
  });

  it("is recalculated if the day before was still used after midnight", async () => {
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${TUESDAY}T00:00:00.000Z`);
    await send(1);
    expect(await readCounts()).toEqual([5, 1, 2, 6]);
    // Another function's clock is slightly behind.
    api.at(`${MONDAY}T23:59:59.990Z`);
    expect(await send(7)).toEqual(Array(7).fill(201));
    api.at(`${TUESDAY}T00:00:00.010Z`);
    expect(await readCounts()).toEqual([5, 1, 0, 4]);
  });

  it("expires after a day without drops", async () => {
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 0, 5]);
  });
});

describe("rules that change during the day", () => {
  beforeEach(() => api.at(`${MONDAY}T12:00:00.000Z`));

  it("apply at once; at least 0 drops are left", async () => {
    await send(4);
    await setRules(api, { daily_allowance: 2 });
    expect(await readCounts()).toEqual([2, 4, 0, 0]);
    expect(await send(1)).toEqual([429]);
    await setRules(api, { daily_allowance: 6 });
    expect(await readCounts()).toEqual([6, 4, 0, 2]);
    expect(await send(3)).toEqual([201, 201, 429]);
  });

  it("use a bonus to cover drops above a lowered allowance first", async () => {
    await send(4);
    await setRules(api, { daily_allowance: 2 });
    await giveBonus(api, ada, `${MONDAY}T12:00:00.000Z`, 3);
    expect(await readCounts()).toEqual([2, 4, 3, 1]);
    expect(await send(2)).toEqual([201, 429]);
  });

  it("limit drops with own text at once", async () => {
    const sendOwn = () => sendTo(api, ada, bob, { content: "Hi" });
    await sendOwn();
    await sendOwn();
    await setRules(api, { max_custom_drops_per_day: 1 });
    await sendOwn().refused(429, "encouragement.custom_drops_exhausted");
    await setRules(api, { max_custom_drops_per_day: 3 });
    await sendOwn().created();
  });

  it("of no drops a day leave only the bonus", async () => {
    await setRules(api, { daily_allowance: 0, max_custom_drops_per_day: 0 });
    expect(await send(1)).toEqual([429]);
    await giveBonus(api, ada, `${MONDAY}T12:00:00.000Z`, 1);
    await sendTo(api, ada, bob, { content: "Hi" }).refused(429, "encouragement.custom_drops_exhausted");
    expect(await send(2)).toEqual([201, 429]);
  });
});
