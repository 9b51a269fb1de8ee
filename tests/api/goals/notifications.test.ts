import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, received, subscribe, usePush } from "../notifications/notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver } = deliveryOf(api);
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());
const cleo = beforeEachTest(() => api.person());
const scene = beforeEachTest(() => foundTeam(api, ada, [ben, cleo]));

async function goalWith(fields: object = { metadata_visibility: "team", team_id: scene.teamId }) {
  return (await api.post("/api/goals", ada, { title: "A quiet wish", ...fields }).created()).goal.id;
}
const checkIn = (goal: string, status: string) => api.post(`/api/goals/${goal}/check-ins`, ada, { status }).created();
const newsOf = async (person: Person) =>
  (await api.get("/api/notifications?unread=true", person).ok()).notifications.filter(
    ({ type }) => type === "goal_update",
  );

describe("a check-in to a goal that is shared with a team", () => {
  it("notifies its members, with one unread notification for each goal", async () => {
    const [one, other] = [await goalWith(), await goalWith()];
    for (const status of ["missed", "completed"]) await checkIn(one, status);
    await checkIn(other, "skipped");
    for (const member of [ben, cleo]) {
      const news = await newsOf(member);
      expect(news.map(({ data }) => data)).toEqual([
        { goal_id: other, status: "skipped", count: 1 },
        { goal_id: one, status: "completed", count: 2 },
      ]);
      expect(JSON.stringify(news)).not.toContain("quiet wish");
    }
    expect(await newsOf(ada)).toEqual([]);
    await api.post("/api/notifications/read-all", ben).ok();
    await checkIn(one, "partial");
    expect(await newsOf(ben)).toMatchObject([{ data: { status: "partial", count: 1 } }]);
  });

  it("notifies no synthetic users, and no one with a block between them and its owner", async () => {
    const goal = await goalWith();
    await api.query`update nectar.profiles set is_ai = true where id = ${cleo.id}`;
    await api.post("/api/blocks", ben, { user_id: ada.id }).created();
    await checkIn(goal, "completed");
    const sent =
      await api.query`select from nectar.notifications where type = 'goal_update' and data ->> 'goal_id' = ${goal}`;
    expect(sent).toEqual([]);
  });

  it("notifies a team of twenty an hour in all goals of their owner, and is stored beyond that", async () => {
    const [one, other, unheard] = [await goalWith(), await goalWith(), await goalWith()];
    await checkIn(one, "completed");
    // Far in the future, so that no new period begins.
    await api.query`update private.quota_uses set period_start = '2200-01-01' where user_id = ${ada.id}`;
    for (let sent = 1; sent < 20; sent += 1) await checkIn(sent % 2 === 0 ? one : other, "completed");
    for (const goal of [one, other, unheard]) await checkIn(goal, "missed");
    expect((await newsOf(ben)).map(({ data }) => data)).toEqual([
      { goal_id: other, status: "completed", count: 10 },
      { goal_id: one, status: "completed", count: 10 },
    ]);
    expect((await api.get(`/api/goals/${unheard}/check-ins`, ben).ok()).check_ins).toHaveLength(1);
    const { teamId } = await foundTeam(api, ada, [cleo]);
    await checkIn(await goalWith({ metadata_visibility: "team", team_id: teamId }), "partial");
    expect(await newsOf(cleo)).toHaveLength(3);
  });

  it("is pushed to those who switched it on", async () => {
    const goal = await goalWith();
    const devices = [await subscribe(api, service, ben), await subscribe(api, service, cleo)];
    await api.put("/api/notifications/settings", cleo, { push: { goal_update: true } }).ok();
    await checkIn(goal, "completed");
    await api.idle();
    await deliver();
    const payloads = devices.map((device) => received(service, device).map(({ payload }) => payload));
    expect(payloads).toMatchObject([[], [{ type: "goal_update", body: "A new check-in: completed." }]]);
  });
});

it("no other check-in notifies anyone", async () => {
  const { orgId, teamId } = scene;
  for (const sharing of [
    {},
    { metadata_visibility: "org", org_id: orgId },
    { metadata_visibility: "public", content_visibility: "team", team_id: teamId },
  ]) {
    await checkIn(await goalWith(sharing), "completed");
  }
  const left = await api.person();
  const { teamId: other } = await foundTeam(api, ben, [left]);
  const body = { title: "Row", metadata_visibility: "team", team_id: other };
  const { goal } = await api.post("/api/goals", left, body).created();
  await api.delete(`/api/teams/${other}/members/${left.id}`, left).ok();
  await api.post(`/api/goals/${goal.id}/check-ins`, left, { status: "completed" }).created();
  expect([await newsOf(ben), await newsOf(cleo)]).toEqual([[], []]);
});
