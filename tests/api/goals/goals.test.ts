import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());

const STATUSES = ["active", "paused", "completed", "abandoned"] as const;

async function set(author: Person, fields: Record<string, unknown> = {}) {
  const body = await api.post("/api/goals", author, { title: "Run", ...fields }).created();
  return body.goal;
}

/** Brings a goal of Ada's into a status, by way of the API. */
async function setAs(status: (typeof STATUSES)[number]) {
  const goal = await set(ada);
  if (status !== "active") await api.put(`/api/goals/${goal.id}`, ada, { status });
  return goal;
}

describe("POST /api/goals", () => {
  it("creates an active goal and returns it", async () => {
    const fields = { description: "In spring", target_date: "2020-02-29" };
    const goal = await set(ada, { title: "  Run a marathon ", ...fields });
    expect(goal).toMatchObject({ user_id: ada.id, title: "Run a marathon", ...fields, status: "active" });
    expect((await api.get(`/api/goals/${goal.id}`, ada)).body.goal).toEqual({ ...goal, check_ins: [] });
  });

  it("needs a title only, and ignores fields that users cannot set", async () => {
    const goal = await set(ada, { id: randomUUID(), user_id: ben.id, status: "completed", created_at: "2020-01-01" });
    expect(goal).toMatchObject({ user_id: ada.id, description: "", target_date: null, status: "active" });
  });
});

describe("GET /api/goals", () => {
  it("lists the caller's goals, newest first, by status", async () => {
    const cleo = await api.person();
    const goals = [];
    for (const title of ["1", "2", "3", "4"]) goals.push(await set(cleo, { title }));
    await api.put(`/api/goals/${goals[1]?.id}`, cleo, { status: "paused" });
    const titles = (body: { goals: { title: string }[] }) => body.goals.map((goal) => goal.title);

    expect(titles((await api.get("/api/goals", cleo)).body)).toEqual(["4", "3", "2", "1"]);
    expect(titles((await api.get("/api/goals?status=paused", cleo)).body)).toEqual(["2"]);
    expect(titles((await api.get("/api/goals?status=active&limit=2", cleo)).body)).toEqual(["4", "3"]);
    await api.get("/api/goals?status=open", cleo).refused(400);
    expect((await api.get("/api/goals", await api.person())).body).toEqual({ goals: [], next_cursor: null });
  });
});

describe("PUT /api/goals/:id", () => {
  it("changes the fields of the request, and clears them with null", async () => {
    const goal = await set(ada, { description: "Old", target_date: "2027-01-01" });
    const renamed = (await api.put(`/api/goals/${goal.id}`, ada, { title: "New" })).body.goal;
    expect(renamed).toEqual({ ...goal, title: "New", updated_at: renamed.updated_at });
    const cleared = (await api.put(`/api/goals/${goal.id}`, ada, { description: null, target_date: null })).body.goal;
    expect(cleared).toMatchObject({ title: "New", description: "", target_date: null });
  });

  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))("%s -> %s", async (from, to) => {
    const goal = await setAs(from);
    const ended = from === "completed" || from === "abandoned";
    const allowed = !ended || to === "active" || to === from;
    const { status, body } = await api.put(`/api/goals/${goal.id}`, ada, { title: "Changed", status: to });
    expect(status).toBe(allowed ? 200 : 409);
    if (!allowed) expect(body.code).toBe("goal.illegal_transition");
    expect((await api.get(`/api/goals/${goal.id}`, ada)).body.goal).toMatchObject({
      status: allowed ? to : from,
      title: allowed ? "Changed" : "Run",
    });
  });
});

it("a goal of another user is 404", async () => {
  const goal = await set(ada);
  const path = `/api/goals/${goal.id}` as const;
  for (const response of [
    api.get(path, ben),
    api.put(path, ben, { title: "Mine" }),
    api.delete(path, ben),
    api.get(`${path}/check-ins`, ben),
    api.post(`${path}/check-ins`, ben, { status: "completed" }),
  ]) {
    await response.refused(404, "goal.not_found");
  }
  expect((await api.get(path, ada).ok()).goal).toEqual({ ...goal, check_ins: [] });
});

describe("DELETE /api/goals/:id", () => {
  it("deletes the goal and its check-ins", async () => {
    const goal = await set(ada);
    await api.post(`/api/goals/${goal.id}/check-ins`, ada, { status: "partial" });
    const body = await api.delete(`/api/goals/${goal.id}`, ada).ok();
    expect(typeof body.message).toBe("string");
    await api.get(`/api/goals/${goal.id}`, ada).refused(404);
    await api.delete(`/api/goals/${goal.id}`, ada).refused(404);
  });
});
