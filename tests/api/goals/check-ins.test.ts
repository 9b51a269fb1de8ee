import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const TODAY = "2031-05-18";
beforeAll(() => api.at(`${TODAY}T12:00:00Z`));
const ada = beforeTests(() => api.person());

async function goalOf(person: Person): Promise<string> {
  return (await api.post("/api/goals", person, { title: "Run" })).body.goal.id;
}

describe("POST /api/goals/:id/check-ins", () => {
  it("creates a check-in for today, which is listed with the goal, newest first", async () => {
    const id = await goalOf(ada);
    const first = await api.post(`/api/goals/${id}/check-ins`, ada, { status: "completed", notes: " 5 km " }).created();
    const fields = { goal_id: id, user_id: ada.id, status: "completed", notes: "5 km", check_in_date: TODAY };
    expect(first.check_in).toMatchObject(fields);
    const second = await api.post(`/api/goals/${id}/check-ins`, ada, { status: "missed" });
    expect(second.body.check_in.notes).toBe("");
    const { check_ins } = (await api.get(`/api/goals/${id}`, ada)).body.goal;
    expect(check_ins).toEqual([second.body.check_in, first.check_in]);
    expect((await api.get(`/api/goals/${id}/check-ins`, ada).ok()).check_ins).toEqual(check_ins);
  });

  it.each([
    ["tomorrow", 1, 400],
    ["today", 0, 201],
    ["7 days ago", -7, 201],
    ["8 days ago", -8, 400],
  ])("accepts today and up to 7 days ago: %s", async (_, days, expected) => {
    const id = await goalOf(ada);
    const check_in_date = addDays(TODAY, days);
    const { status, body } = await api.post(`/api/goals/${id}/check-ins`, ada, { status: "skipped", check_in_date });
    expect(status).toBe(expected);
    if (expected === 400) expect(body.issues).toMatchObject([{ path: "check_in_date" }]);
    else expect(body.check_in.check_in_date).toBe(check_in_date);
  });

  it("uses the date in the time zone of the user", async () => {
    const far = await api.person();
    await api.put("/api/user/profile", far, { timezone: "Pacific/Kiritimati" });
    const today = "2031-05-19";
    const id = await goalOf(far);
    const { body } = await api.post(`/api/goals/${id}/check-ins`, far, { status: "completed" });
    expect(body.check_in.check_in_date).toBe(today);
    await api
      .post(`/api/goals/${id}/check-ins`, far, { status: "completed", check_in_date: addDays(today, 1) })
      .refused(400);
  });

  it.each(["completed", "abandoned"])("is refused once the goal is %s", async (status) => {
    const id = await goalOf(ada);
    await api.put(`/api/goals/${id}`, ada, { status });
    await api.post(`/api/goals/${id}/check-ins`, ada, { status: "completed" }).refused(409, "goal.not_open");
    await api.put(`/api/goals/${id}`, ada, { status: "active" });
    await api.post(`/api/goals/${id}/check-ins`, ada, { status: "completed" }).created();
  });

  it("never adds a check-in to a goal that ends at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await goalOf(ada);
      const [checkIn, end] = await Promise.all([
        api.post(`/api/goals/${id}/check-ins`, ada, { status: "completed" }),
        api.put(`/api/goals/${id}`, ada, { status: "completed" }),
      ]);
      expect(end.status).toBe(200);
      expect([201, 409]).toContain(checkIn.status);
      const { goal } = (await api.get(`/api/goals/${id}`, ada)).body;
      expect(goal.check_ins).toHaveLength(checkIn.status === 201 ? 1 : 0);
    }
  });

  it("is 404 when the goal is deleted at the same time", async () => {
    const id = await goalOf(ada);
    await api.inTransaction(async ({ query }) => {
      await query`delete from nectar.goals where id = ${id}`;
      const checkIn = api.post(`/api/goals/${id}/check-ins`, ada, { status: "completed" });
      await api.untilWaiting();
      await query`commit`;
      await checkIn.refused(404, "goal.not_found");
    });
  });
});

describe("a check-in that is corrected", () => {
  const checkInOf = async (goal: string) =>
    (await api.post(`/api/goals/${goal}/check-ins`, ada, { status: "partial", notes: "Two" }).created()).check_in;

  it("changes the fields of the request, and null clears the notes", async () => {
    const goal = await goalOf(ada);
    const before = await checkInOf(goal);
    const path = `/api/goals/${goal}/check-ins/${before.id}` as const;
    const { check_in } = await api.put(path, ada, { status: "completed" }).ok();
    expect(check_in).toEqual({ ...before, status: "completed" });
    expect((await api.put(path, ada, { notes: null }).ok()).check_in).toEqual({ ...check_in, notes: "" });
  });

  it.each(["completed", "abandoned"])("changes and goes also if its goal is %s", async (status) => {
    const goal = await goalOf(ada);
    const path = `/api/goals/${goal}/check-ins/${(await checkInOf(goal)).id}` as const;
    await api.put(`/api/goals/${goal}`, ada, { status });
    expect((await api.put(path, ada, { notes: "Three" }).ok()).check_in.notes).toBe("Three");
    await api.delete(path, ada).ok();
    expect((await api.get(`/api/goals/${goal}`, ada).ok()).goal.check_ins).toEqual([]);
    await api.delete(path, ada).refused(404, "goal.check_in_not_found");
  });

  it("is 404 for others, and below another goal", async () => {
    const [goal, other, ben] = [await goalOf(ada), await goalOf(ada), await api.person()];
    const checkIn = await checkInOf(goal);
    for (const [as, of] of [
      [ben, goal],
      [ada, other],
    ] as const) {
      const path = `/api/goals/${of}/check-ins/${checkIn.id}` as const;
      await api.put(path, as, { notes: "Mine" }).refused(404, "goal.check_in_not_found");
      await api.delete(path, as).refused(404, "goal.check_in_not_found");
    }
    expect((await api.get(`/api/goals/${goal}`, ada).ok()).goal.check_ins).toEqual([checkIn]);
  });
});
