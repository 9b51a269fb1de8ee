import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { giveBonus, ROOM, sendTo, setRules } from "../sending.ts";

const api = useApi();
let ada: Person;
let bob: Person;
beforeAll(async () => {
  bob = await api.person();
});
beforeEach(async () => {
  await setRules(api, {
    daily_allowance: 5,
    bonus_drops_per_engagement: 2,
    engagement_window_hours: 24,
    max_custom_drops_per_day: 3,
  });
  ada = await api.person();
});

const MONDAY = "2026-11-23";
const TUESDAY = "2026-11-24";
const WEDNESDAY = "2026-11-25";

/** What one has, as `[daily, used, bonus, available]`. */
async function readCounts() {
  const { daily_allowance, drops_used, bonus_drops_earned, total_available } = (await api.get(`${ROOM}/my-drops`, ada))
    .body;
  return [daily_allowance, drops_used, bonus_drops_earned, total_available];
}

/** Sends so many drops and returns the statuses. */
async function send(count: number) {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await sendTo(api, ada, bob)).status);
  return statuses;
}

describe("GET /api/encouragement-drops/my-drops", () => {
  it("tells of the day that it is by UTC", async () => {
    api.at(`${MONDAY}T12:00:00.000Z`);
    expect((await api.get(`${ROOM}/my-drops`, ada)).body).toEqual({
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

  it("tells the same before and after the day's first drop but for that drop", async () => {
    api.at(`${MONDAY}T12:00:00.000Z`);
    await giveBonus(api, ada, `${MONDAY}T12:00:00.000Z`, 3);
    api.at(`${TUESDAY}T12:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 3, 8]);
    await send(1);
    expect(await readCounts()).toEqual([5, 1, 3, 7]);
  });
});

describe("midnight by UTC", () => {
  it("begins a new day at its first millisecond, and Retry-After leads there", async () => {
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

  it("is a whole day away at the first moment of a day", async () => {
    await setRules(api, { daily_allowance: 0 });
    api.at(`${MONDAY}T00:00:00.000Z`);
    expect((await sendTo(api, ada, bob)).headers.get("retry-after")).toBe("86400");
    api.at(`${MONDAY}T00:00:00.001Z`);
    expect((await sendTo(api, ada, bob)).headers.get("retry-after")).toBe("86400");
    api.at(`${MONDAY}T23:00:00.000Z`);
    expect((await sendTo(api, ada, bob)).headers.get("retry-after")).toBe("3600");
  });

  it("gives drops in own words back too", async () => {
    api.at(`${MONDAY}T10:00:00.000Z`);
    const words = () => sendTo(api, ada, bob, { content: "Hi" });
    const monday = [await words(), await words(), await words(), await words()];
    expect(monday.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(monday.at(-1)?.headers.get("retry-after")).toBe(String(14 * 3600));
    api.at(`${TUESDAY}T10:00:00.000Z`);
    expect((await words()).status).toBe(201);
  });
});

describe("what is left of a bonus", () => {
  // Earned on Monday; sent on Monday, Tuesday; then what is there on Tuesday and on Wednesday before anything is sent.
  const CASES: readonly [name: string, bonus: number, onMonday: number, tuesday: number, onTuesday: number][] = [
    ["nothing was sent", 4, 0, 4, 0],
    ["the allowance covered all", 4, 5, 4, 2],
    ["a part of it was used", 4, 7, 2, 7],
    ["all of it was used", 4, 9, 0, 5],
    ["there was none", 0, 3, 0, 3],
  ];
  it.each(CASES)("goes to the next day and no further: %s", async (_, bonus, onMonday, tuesday, onTuesday) => {
    api.at(`${MONDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, bonus);
    expect(await readCounts()).toEqual([5, 0, bonus, 5 + bonus]);
    expect(await send(onMonday)).toEqual(Array(onMonday).fill(201));
    api.at(`${TUESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, tuesday, 5 + tuesday]);
    expect(await send(onTuesday)).toEqual(Array(onTuesday).fill(201));
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 0, 5]);
    expect((await send(6)).at(-1)).toBe(429);
  });

  it("is used before what is earned on the day itself, which then goes on", async () => {
    api.at(`${MONDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${TUESDAY}T08:00:00.000Z`);
    await giveBonus(api, ada, `${TUESDAY}T08:00:00.000Z`, 2);
    expect(await readCounts()).toEqual([5, 0, 4, 9]);
    expect(await send(8)).toEqual(Array(8).fill(201));
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 1, 6]);
  });

  it("counts what was still used on the day before although the new day had begun", async () => {
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${TUESDAY}T00:00:00.000Z`);
    await send(1);
    expect(await readCounts()).toEqual([5, 1, 2, 6]);
    // A function whose clock is a little behind.
    api.at(`${MONDAY}T23:59:59.990Z`);
    expect(await send(7)).toEqual(Array(7).fill(201));
    api.at(`${TUESDAY}T00:00:00.010Z`);
    expect(await readCounts()).toEqual([5, 1, 0, 4]);
  });

  it("survives a day without a row only when it is the next day", async () => {
    await giveBonus(api, ada, `${MONDAY}T08:00:00.000Z`, 2);
    api.at(`${WEDNESDAY}T08:00:00.000Z`);
    expect(await readCounts()).toEqual([5, 0, 0, 5]);
  });
});

describe("rules that change during the day", () => {
  beforeEach(() => api.at(`${MONDAY}T12:00:00.000Z`));

  it("count at once; below what was sent there is nothing left, never less", async () => {
    await send(4);
    await setRules(api, { daily_allowance: 2 });
    expect(await readCounts()).toEqual([2, 4, 0, 0]);
    expect(await send(1)).toEqual([429]);
    await setRules(api, { daily_allowance: 6 });
    expect(await readCounts()).toEqual([6, 4, 0, 2]);
    expect(await send(3)).toEqual([201, 201, 429]);
  });

  it("let a bonus fill what a lowered allowance lacks before it can be used", async () => {
    await send(4);
    await setRules(api, { daily_allowance: 2 });
    await giveBonus(api, ada, `${MONDAY}T12:00:00.000Z`, 3);
    expect(await readCounts()).toEqual([2, 4, 3, 1]);
    expect(await send(2)).toEqual([201, 429]);
  });

  it("limit drops in own words as they are now", async () => {
    const words = () => sendTo(api, ada, bob, { content: "Hi" });
    await words();
    await words();
    await setRules(api, { max_custom_drops_per_day: 1 });
    expect((await words()).body.code).toBe("encouragement.custom_drops_exhausted");
    await setRules(api, { max_custom_drops_per_day: 3 });
    expect((await words()).status).toBe(201);
  });

  it("with nothing a day leave only the bonus", async () => {
    await setRules(api, { daily_allowance: 0, max_custom_drops_per_day: 0 });
    expect(await send(1)).toEqual([429]);
    await giveBonus(api, ada, `${MONDAY}T12:00:00.000Z`, 1);
    expect((await sendTo(api, ada, bob, { content: "Hi" })).body.code).toBe("encouragement.custom_drops_exhausted");
    expect(await send(2)).toEqual([201, 429]);
  });
});
