import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, received, subscribe, usePush } from "../notifications/notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver } = deliveryOf(api);
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));
const ben = beforeEachTest(() => api.person({ fullName: "Ben" }));
const cleo = beforeEachTest(() => api.person({ fullName: "Cleo" }));
const scene = beforeEachTest(() => foundTeam(api, ada, [ben, cleo]));
const entry = beforeEachTest(() => write(api, ada, { title: "A quiet wish", ...team() }));

const team = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: scene.teamId });
const comment = (as: Person, content = "A secret", id: string = entry.id) =>
  api.post(`/api/journal/${id}/comments`, as, { content }).created();
const newsOf = async (person: Person) =>
  (await api.get("/api/notifications?unread=true", person).ok()).notifications.filter(({ type }) => type === "comment");
const dataOf = async (person: Person) => (await newsOf(person)).map(({ data }) => data);

describe("the notification of comments", () => {
  it("is one for the author and one for each who commented before, and counts", async () => {
    await comment(ben);
    expect(await dataOf(ada)).toEqual([{ entry_id: entry.id, is_yours: true, full_name: "Ben", count: 1 }]);
    expect(await dataOf(cleo)).toEqual([]);
    await comment(cleo);
    await comment(ada);
    expect(await dataOf(ada)).toEqual([{ entry_id: entry.id, is_yours: true, count: 2 }]);
    expect(await dataOf(ben)).toEqual([{ entry_id: entry.id, is_yours: false, count: 2 }]);
    expect(await dataOf(cleo)).toEqual([{ entry_id: entry.id, is_yours: false, full_name: "Ada", count: 1 }]);
    expect(JSON.stringify(await newsOf(ada))).not.toMatch(/secret|quiet wish/);
    await api.post("/api/notifications/read-all", ada).ok();
    await comment(ben);
    expect(await dataOf(ada)).toMatchObject([{ full_name: "Ben", count: 1 }]);
  });

  it("on a goal is not the one of its check-ins", async () => {
    const { goal } = await api.post("/api/goals", ada, { title: "Run", ...team() }).created();
    await api.post(`/api/goals/${goal.id}/comments`, ben, { content: "Soon" }).created();
    await api.post(`/api/goals/${goal.id}/check-ins`, ada, { status: "completed" }).created();
    await api.post(`/api/goals/${goal.id}/comments`, ada, { content: "Now" }).created();
    const { notifications } = await api.get("/api/notifications?unread=true", ben).ok();
    expect(notifications.filter(({ type }) => type !== "member_added")).toMatchObject([
      { type: "comment", title: "New comments where you commented", data: { goal_id: goal.id, count: 1 } },
      { type: "goal_update", data: { goal_id: goal.id, count: 1 } },
    ]);
    expect(await newsOf(ada)).toMatchObject([{ title: "New comments on your goal", body: "Ben commented." }]);
  });

  it("is not for those who no longer see the content, synthetic users, and people with a block to the sender", async () => {
    const [robot, left] = [await api.person(), await api.person()];
    for (const { id } of [robot, left]) {
      await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: id }).created();
      await api.post(`/api/teams/${scene.teamId}/members`, ada, { user_id: id }).created();
    }
    for (const person of [robot, left, ben]) await comment(person);
    await api.query`update nectar.profiles set is_ai = true where id = ${robot.id}`;
    await api.delete(`/api/teams/${scene.teamId}/members/${left.id}`, left).ok();
    await api.post("/api/blocks", cleo, { user_id: ben.id }).created();
    await api.query`delete from nectar.notifications`;
    await comment(cleo);
    expect(await api.query`select user_id from nectar.notifications`).toEqual([{ user_id: ada.id }]);
    await api.post("/api/blocks", ada, { user_id: cleo.id }).created();
    expect(await dataOf(ada)).toEqual([]);
  });

  it("is for the 50 who commented last", async () => {
    await api.query`with people as (
        insert into auth.users (id, email)
        select gen_random_uuid(), 'commenter-' || n || '-' || ${entry.id} || '@example.test' from generate_series(1, 52) n
        returning id
      )
      select count(*) from people`;
    await api.query`insert into nectar.organization_members (org_id, user_id)
      select ${scene.orgId}, u.id from auth.users u where u.email like 'commenter-%-' || ${entry.id} || '@%'`;
    await api.query`insert into nectar.team_members (team_id, org_id, user_id)
      select ${scene.teamId}, ${scene.orgId}, u.id from auth.users u where u.email like 'commenter-%-' || ${entry.id} || '@%'`;
    await api.query`insert into nectar.team_messages (entry_id, sender_id, content, created_at)
      select ${entry.id}, u.id, 'Hello', now() - split_part(u.email, '-', 2)::int * interval '1 minute'
      from auth.users u where u.email like 'commenter-%-' || ${entry.id} || '@%'`;
    await comment(ben);
    const notified = await api.query`select split_part(u.email, '-', 2)::int as number
      from nectar.notifications n join auth.users u on u.id = n.user_id
      where n.type = 'comment' and n.room_id = ${entry.id} and n.user_id <> ${ada.id} order by 1`;
    expect(notified).toEqual(Array.from({ length: 50 }, (_, index) => ({ number: index + 1 })));
  });

  it("is pushed to the author only", async () => {
    await comment(cleo);
    await api.post("/api/notifications/read-all", ada).ok();
    await api.idle();
    const devices = [await subscribe(api, service, ada), await subscribe(api, service, cleo)];
    await comment(ben);
    await api.idle();
    await deliver();
    const pushed = devices.map((device) => received(service, device).map(({ payload }) => payload));
    expect(pushed).toMatchObject([[{ type: "comment", title: "New comments on your entry" }], []]);
    expect(await dataOf(cleo)).toHaveLength(1);
    await api.put("/api/notifications/settings", ada, { push: { comment: false } }).ok();
    await api.post("/api/notifications/read-all", ada).ok();
    await comment(ben);
    await api.idle();
    await deliver();
    expect(devices.map((device) => received(service, device).length)).toEqual([1, 0]);
  });

  it("loses the name when the account of its cause is erased", async () => {
    await comment(ben);
    await api.query`update nectar.accounts set erasure_requested_at = now() - interval '8 days', erases_at = now()
      where user_id = ${ben.id}`;
    await api.query`select private.start_erasure(${ben.id}, now() + interval '1 second')`;
    expect(await newsOf(ada)).toMatchObject([{ body: "Someone commented.", data: { count: 1 } }]);
    expect(JSON.stringify(await newsOf(ada))).not.toContain("Ben");
  });
});
