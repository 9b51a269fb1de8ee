import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { HOUR_MS, SECRET, sceneOf } from "../engaging.ts";
import { ROOM, sendTo, setCounts } from "../sending.ts";

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
const NOW = new Date("2031-05-18T12:00:00Z");
const scene = sceneOf(api);
const bob = beforeTests(() => api.person());
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));
beforeEach(async () => {
  api.at(NOW);
  await api.query`delete from nectar.encouragement_drops`;
});

const badgeOf = async (person: Person) => (await api.get(`${ROOM}/badge`, person).ok()).badge;
const milestonesOf = async (person: Person) => (await api.get(`${ROOM}/badge/milestones`, person).ok()).milestones;
const updateBadge = () => api.post(`${ROOM}/badge/update`, ada).ok();

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

  it("counts the days in a row up to today or yesterday, in the response to sending a drop as well", async () => {
    const days = async (moment: string) => {
      api.at(moment);
      return (await badgeOf(ada)).consecutive_days;
    };
    for (const [moment, expected] of [
      ["2026-11-23T23:59:59.999Z", 1],
      ["2026-11-24T00:00:00.000Z", 2],
      ["2026-11-24T12:00:00.000Z", 2],
      ["2026-11-25T12:00:00.000Z", 3],
    ] as const) {
      api.at(moment);
      const { badge } = await sendTo(api, ada, bob).created();
      expect(badge.consecutive_days).toBe(expected);
      expect(await badgeOf(ada)).toEqual(badge);
    }
    expect(await days("2026-11-26T23:59:59.999Z")).toBe(3);
    expect(await days("2026-11-27T00:00:00.000Z")).toBe(0);
    expect((await sendTo(api, ada, bob).created()).badge).toMatchObject({ total_drops_sent: 5, consecutive_days: 1 });
  });

  it("counts drops that are inserted together by their days", async () => {
    await api.query`insert into nectar.encouragement_drops
        (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
      select ${ada.id}, ${bob.id}, 'x', true, day, day + time '12:00' at time zone 'UTC', day + interval '2 days'
      from unnest(array['2026-11-01', '2026-11-03', '2026-11-04', '2026-11-04', '2026-11-05']::date[]) day`;
    const row = await api.one`select total_drops_sent, run_days, last_sent_on::text from nectar.user_badges
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

  it("is visible to all users without a block, with milestones, and 404 for everyone else", async () => {
    expect((await api.get(`${ROOM}/badge/${ada.id}`, bob).ok()).badge.user_id).toBe(ada.id);
    const { milestones } = await api.get(`${ROOM}/badge/milestones?user_id=${ada.id}`, bob).ok();
    expect(milestones).toMatchObject([{ user_id: ada.id, level: 1 }]);
    const [blocked, blocking] = [await api.person(), await api.person()];
    await api.post("/api/blocks", bob, { user_id: blocked.id }).created();
    await api.post("/api/blocks", blocking, { user_id: bob.id }).created();
    for (const id of [randomUUID(), blocked.id, blocking.id]) {
      await api.get(`${ROOM}/badge/${id}`, bob).refused(404, "user.not_found");
      await api.get(`${ROOM}/badge/milestones?user_id=${id}`, bob).refused(404, "user.not_found");
      expect(await api.post(`${ROOM}/badges/bulk`, bob, { user_ids: [id] }).ok()).toEqual({ badges: [] });
    }
    await api.get(`${ROOM}/badge/milestones?user_id=me`, bob).invalid("user_id");
  });

  it("is read with others in the order of 1 to 100 ids, without unknown users", async () => {
    const bulk = (user_ids: unknown) => api.post(`${ROOM}/badges/bulk`, bob, { user_ids });
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
    const { badges } = await bulk([bob.id, randomUUID(), ada.id, bob.id]).ok();
    expect(badges.map(({ user_id }) => user_id)).toEqual([bob.id, ada.id, bob.id]);
    expect(await bulk(ids(100)).ok()).toEqual({ badges: [] });
  });
});

const LADDER = [
  { level: 1, name: "Seedling", from: 0, emoji: "🌱", color: "#90EE90" },
  { level: 2, name: "Sprout", from: 6, emoji: "🌿", color: "#7CFC00" },
  { level: 3, name: "Bloom", from: 21, emoji: "🌸", color: "#FF69B4" },
  { level: 4, name: "Pollinator", from: 51, emoji: "🐝", color: "#FFD700" },
  { level: 5, name: "Hive Keeper", from: 151, emoji: "🍯", color: "#FF8C00" },
  { level: 6, name: "Queen Bee", from: 501, emoji: "👑", color: "#9370DB" },
  { level: 7, name: "Hive Legend", from: 1501, emoji: "🏆", color: "#FFD700" },
] as const;

describe("the ladder", () => {
  it("has these levels, which ask for nothing but successes", async () => {
    const optional = { min_success_rate: null, min_consecutive_days: null };
    expect((await api.get(`${ROOM}/badge-definitions`, ada).ok()).definitions).toEqual(
      LADDER.map(({ from, ...level }) => ({ ...level, min_engagement_increases: from, ...optional })),
    );
  });

  it.each(LADDER)("begins level $level at $from successes", async ({ from, ...level }) => {
    if (from > 0) {
      await setCounts(api, ada, 3_000, from - 1);
      await updateBadge();
      const progress = { current: from - 1, required: from, remaining: 1 };
      expect(await badgeOf(ada)).toMatchObject({ level: level.level - 1, progress });
    }
    await setCounts(api, ada, 3_000, from);
    const { badge, leveled_up } = await updateBadge();
    expect(leveled_up).toBe(from > 0);
    expect(badge).toMatchObject({ ...level, progress: { current: from } });
  });

  it("has its milestones in pages, also of levels that were reached at once", async () => {
    await setCounts(api, ada, 3_000, 51);
    await updateBadge();
    const page = (query: string) => api.get(`${ROOM}/badge/milestones?limit=2${query}`, ada).ok();
    const first = await page("");
    const second = await page(`&cursor=${first.next_cursor}`);
    const levels = [first, second].flatMap(({ milestones }) => milestones.map(({ level }) => level));
    expect(levels).toEqual([4, 3, 2, 1]);
    expect(second.next_cursor).toBeNull();
  });

  it("gives two milestones and one notification for rising from 5 to 21 successes", async () => {
    const succeed = async (count: number) => {
      const at = NOW.getTime() - HOUR_MS;
      for (let n = 0; n < count; n += 1) await scene.dropAt(ada.id, bob.id, new Date(at + n));
      await scene.entryAt(bob.id, new Date(at + count));
    };
    await succeed(5);
    await scene.run();
    expect((await milestonesOf(ada)).map(({ level }) => level)).toEqual([1]);
    await succeed(16);
    expect((await scene.run()).body.results).toMatchObject({ engaged: 16, badges_updated: 1 });
    expect(await badgeOf(ada)).toMatchObject({ level: 3, name: "Bloom", engagement_increases: 21 });
    const milestones = await milestonesOf(ada);
    const stats = { total_drops_sent: 21, engagement_increases: 21, success_rate: 100, bonus_drops_earned: 42 };
    expect(milestones).toMatchObject([
      { user_id: ada.id, level: 3, badge_name: "Bloom", stats },
      { level: 2, badge_name: "Sprout", stats, achieved_at: milestones[0]?.achieved_at },
      { level: 1, badge_name: "Seedling", stats: { total_drops_sent: 0 } },
    ]);
    const { notifications } = await api.get("/api/notifications", ada).ok();
    expect(notifications).toMatchObject([{ type: "badge_earned", data: { level: 3, badge_name: "Bloom" } }]);
    await scene.run();
    expect(await milestonesOf(ada)).toHaveLength(3);
  });

  it("never lowers a level", async () => {
    await setCounts(api, ada, 100, 60);
    await updateBadge();
    await setCounts(api, ada, 100, 3);
    expect(await updateBadge()).toMatchObject({
      leveled_up: false,
      badge: { level: 4, progress: { current: 3, required: 151, percent: 0 } },
    });
  });

  it("can also require a success rate and days in a row", async () => {
    const rule = "update nectar.badge_definitions set min_success_rate = $1, min_consecutive_days = $2 where level = 2";
    await api.query(rule, [50, 2]);
    try {
      const setRun = (days: number, endedDaysAgo: number) =>
        api.query`update nectar.user_badges
          set run_days = ${days}, last_sent_on = '2031-05-18'::date - ${endedDaysAgo}::int where user_id = ${ada.id}`;
      for (const [change, expected] of [
        [() => setCounts(api, ada, 13, 6), 1],
        [() => setCounts(api, ada, 12, 6), 1],
        [() => setRun(2, 2), 1],
        [() => setRun(1, 0), 1],
        [() => setRun(2, 1), 2],
      ] as const) {
        await change();
        expect((await updateBadge()).badge.level).toBe(expected);
      }
    } finally {
      await api.query(rule, [null, null]);
    }
  });

  it("is recalculated by the job for recent senders only", async () => {
    for (const person of [ada, bob]) await setCounts(api, person, 10, 6);
    await api.query`update nectar.user_badges set run_days = 1, last_sent_on = '2031-05-17' where user_id = ${ada.id}`;
    expect((await scene.run()).body.results).toMatchObject({ checked: 0, badges_updated: 1 });
    expect([(await badgeOf(ada)).level, (await badgeOf(bob)).level]).toEqual([2, 1]);
    await setCounts(api, bob, 0, 0);
  });
});
