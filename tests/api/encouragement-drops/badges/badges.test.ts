import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { ROOM, sendTo, setCounts } from "../sending.ts";

const api = useApi();
const bob = beforeTests(() => api.person());
beforeEach(() => api.query`delete from nectar.encouragement_drops`);
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));

const badgeOf = async (person: Person) => (await api.get(`${ROOM}/badge`, person)).body.badge;
const milestonesOf = async (person: Person) => (await api.get(`${ROOM}/badge/milestones`, person)).body.milestones;

describe("a badge", () => {
  it("is a Seedling after sign-up, with its milestone", async () => {
    expect(await badgeOf(ada)).toEqual({
      user_id: ada.id,
      level: 1,
      name: "Seedling",
      emoji: "🌱",
      color: "#90EE90",
      total_drops_sent: 0,
      engagement_increases: 0,
      success_rate: 0,
      bonus_drops_earned: 0,
      consecutive_days: 0,
      progress: { current: 0, required: 6, remaining: 6, percent: 0, next_level: 2, next_name: "Sprout" },
    });
    expect(await milestonesOf(ada)).toMatchObject([{ level: 1, badge_name: "Seedling" }]);
  });

  it("counts a drop in the response to sending it", async () => {
    const { body } = await sendTo(api, ada, bob);
    expect(body.badge).toMatchObject({ total_drops_sent: 1, consecutive_days: 1, success_rate: 0 });
    expect(await badgeOf(ada)).toEqual(body.badge);
  });

  it("counts the days in a row up to today or yesterday", async () => {
    const days = async (moment: string) => {
      api.at(moment);
      return (await api.get(`${ROOM}/badge`, ada)).body.badge.consecutive_days;
    };
    for (const [moment, expected] of [
      ["2026-11-23T23:59:59.999Z", 1],
      ["2026-11-24T00:00:00.000Z", 2],
      ["2026-11-24T12:00:00.000Z", 2],
      ["2026-11-25T12:00:00.000Z", 3],
    ] as const) {
      api.at(moment);
      expect((await sendTo(api, ada, bob)).body.badge.consecutive_days).toBe(expected);
    }
    expect(await days("2026-11-26T23:59:59.999Z")).toBe(3);
    expect(await days("2026-11-27T00:00:00.000Z")).toBe(0);
    api.at("2026-11-27T12:00:00.000Z");
    expect((await sendTo(api, ada, bob)).body.badge.consecutive_days).toBe(1);
  });

  it("counts drops that are inserted together by their days", async () => {
    await api.query`insert into nectar.encouragement_drops
        (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
      select ${ada.id}, ${bob.id}, 'x', true, day, day + time '12:00' at time zone 'UTC', day + interval '2 days'
      from unnest(array['2026-11-01', '2026-11-03', '2026-11-04', '2026-11-04', '2026-11-05']::date[]) day`;
    const [row] = await api.query`select total_drops_sent, run_days, last_sent_on::text from nectar.user_badges
      where user_id = ${ada.id}`;
    expect(row).toEqual({ total_drops_sent: 5, run_days: 3, last_sent_on: "2026-11-05" });
  });

  it("has a success rate of two decimals", async () => {
    await setCounts(api, ada, 3, 2);
    expect((await badgeOf(ada)).success_rate).toBe(66.67);
  });

  it("keeps its counts when a recipient deletes their account", async () => {
    const gone = await api.person();
    await sendTo(api, ada, gone);
    await api.query`delete from auth.users where id = ${gone.id}`;
    expect(await badgeOf(ada)).toMatchObject({ total_drops_sent: 1 });
  });

  it("is visible to all users without a block, with milestones; an unknown user is 404, an invalid id 400", async () => {
    expect((await api.get(`${ROOM}/badge/${ada.id}`, bob)).body.badge.user_id).toBe(ada.id);
    const { milestones } = (await api.get(`${ROOM}/badge/milestones?user_id=${ada.id}`, bob)).body;
    expect(milestones).toMatchObject([{ user_id: ada.id, level: 1 }]);
    const unknown = randomUUID();
    for (const path of [`badge/${unknown}`, `badge/milestones?user_id=${unknown}`]) {
      const { status, body } = await api.get(`${ROOM}/${path}`, bob);
      expect([status, body.code], path).toEqual([404, "user.not_found"]);
    }
    const blocked = await api.person();
    const blocking = await api.person();
    await api.post("/api/blocks", bob, { user_id: blocked.id }).created();
    await api.post("/api/blocks", blocking, { user_id: bob.id }).created();
    for (const { id } of [blocked, blocking]) {
      await api.get(`${ROOM}/badge/${id}`, bob).refused(404, "user.not_found");
      await api.get(`${ROOM}/badge/milestones?user_id=${id}`, bob).refused(404, "user.not_found");
      expect(await api.post(`${ROOM}/badges/bulk`, bob, { user_ids: [id] }).ok()).toEqual({ badges: [] });
    }
    for (const path of ["badge/me", "badge/milestones?user_id=me"]) {
      expect((await api.get(`${ROOM}/${path}`, bob)).status, path).toBe(400);
    }
  });
});

describe("POST /api/encouragement-drops/badges/bulk", () => {
  const bulk = (ids: unknown) => api.post(`${ROOM}/badges/bulk`, bob, { user_ids: ids });

  it("returns badges in the order of the ids, without unknown users", async () => {
    const { body } = await bulk([bob.id, randomUUID(), ada.id, bob.id]);
    expect(body.badges.map((badge: { user_id: string }) => badge.user_id)).toEqual([bob.id, ada.id, bob.id]);
  });

  it("takes 1 to 100 ids", async () => {
    expect((await bulk(Array.from({ length: 100 }, () => randomUUID()))).body).toEqual({ badges: [] });
    for (const ids of [[], Array.from({ length: 101 }, () => randomUUID()), ["me"], "me", undefined]) {
      await bulk(ids).refused(400);
    }
  });
});
