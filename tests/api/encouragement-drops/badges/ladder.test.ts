import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { HOUR_MS, SECRET, sceneOf } from "../engaging.ts";
import { ROOM, setCounts } from "../sending.ts";

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
const NOW = new Date("2031-05-18T12:00:00Z");
const scene = sceneOf(api);
beforeAll(() => api.at(NOW));
const bob = beforeTests(() => api.person());
beforeEach(() => api.query`delete from nectar.encouragement_drops`);
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));

const badgeOf = async (person: Person) => (await api.get(`${ROOM}/badge`, person)).body.badge;
const milestonesOf = async (person: Person) => (await api.get(`${ROOM}/badge/milestones`, person)).body.milestones;
const milestonePage = (query: string) => api.get(`${ROOM}/badge/milestones?limit=2${query}`, ada).ok();

/** Makes past drops that were followed by an entry. */
async function succeed(count: number) {
  const at = NOW.getTime() - HOUR_MS;
  for (let n = 0; n < count; n += 1) await scene.dropAt(ada.id, bob.id, new Date(at + n));
  await scene.entryAt(bob.id, new Date(at + count));
}

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
  it("has its milestones in pages, also of levels that were reached at once", async () => {
    await setCounts(api, ada, 3_000, 51);
    await api.post(`${ROOM}/badge/update`, ada).ok();
    const [first, second] = [
      await milestonePage(""),
      await milestonePage(`&cursor=${(await milestonePage("")).next_cursor}`),
    ];
    expect([first, second].map(({ milestones }) => milestones.map(({ level }) => level))).toEqual([
      [4, 3],
      [2, 1],
    ]);
    expect(second.next_cursor).toBeNull();
  });

  it("has these levels", async () => {
    expect((await api.get(`${ROOM}/badge-definitions`, ada)).body.definitions).toEqual(
      LADDER.map(({ level, name, from, emoji, color }) => ({
        level,
        name,
        min_engagement_increases: from,
        min_success_rate: null,
        min_consecutive_days: null,
        emoji,
        color,
      })),
    );
  });

  it.each(LADDER)("begins level $level at $from successes", async ({ level, name, from, emoji, color }) => {
    if (from > 0) {
      await setCounts(api, ada, 3_000, from - 1);
      await api.post(`${ROOM}/badge/update`, ada);
      expect(await badgeOf(ada)).toMatchObject({ level: level - 1, progress: { percent: expect.any(Number) } });
      expect((await badgeOf(ada)).progress).toMatchObject({ current: from - 1, required: from, remaining: 1 });
    }
    await setCounts(api, ada, 3_000, from);
    const { body } = await api.post(`${ROOM}/badge/update`, ada);
    expect(body.leveled_up).toBe(from > 0);
    expect(body.badge).toMatchObject({ level, name, emoji, color });
    const above = LADDER.find((other) => other.level === level + 1);
    expect(body.badge.progress).toEqual({
      current: from,
      required: above?.from ?? null,
      remaining: above === undefined ? null : above.from - from,
      percent: above === undefined ? 100 : 0,
      next_level: above?.level ?? null,
      next_name: above?.name ?? null,
    });
  });

  it("gives two milestones and one notification for rising from 5 to 21 successes", async () => {
    await succeed(5);
    await scene.run();
    expect((await milestonesOf(ada)).map((row: { level: number }) => row.level)).toEqual([1]);
    await succeed(16);
    expect((await scene.run()).body.results).toMatchObject({ engaged: 16, badges_updated: 1 });
    expect(await badgeOf(ada)).toMatchObject({ level: 3, name: "Bloom", engagement_increases: 21 });
    const [bloom, sprout, seedling] = await milestonesOf(ada);
    const stats = { total_drops_sent: 21, engagement_increases: 21, success_rate: 100, bonus_drops_earned: 42 };
    expect(bloom).toMatchObject({ user_id: ada.id, level: 3, badge_name: "Bloom", stats });
    expect(sprout).toMatchObject({ level: 2, badge_name: "Sprout", stats, achieved_at: bloom.achieved_at });
    expect(seedling).toMatchObject({ level: 1, badge_name: "Seedling", stats: { total_drops_sent: 0 } });
    const notifications = (await api.get("/api/notifications", ada)).body.notifications;
    expect(notifications).toMatchObject([{ type: "badge_earned", data: { level: 3, badge_name: "Bloom" } }]);
    await scene.run();
    expect(await milestonesOf(ada)).toHaveLength(3);
  });

  it("never lowers a level", async () => {
    await setCounts(api, ada, 100, 60);
    await api.post(`${ROOM}/badge/update`, ada);
    await setCounts(api, ada, 100, 3);
    expect((await api.post(`${ROOM}/badge/update`, ada)).body).toMatchObject({
      leveled_up: false,
      badge: { level: 4, progress: { current: 3, required: 151, percent: 0 } },
    });
  });

  it("can also require a success rate and days in a row", async () => {
    const rule = "update nectar.badge_definitions set min_success_rate = $1, min_consecutive_days = $2 where level = 2";
    await api.query(rule, [50, 2]);
    try {
      const climb = async () => (await api.post(`${ROOM}/badge/update`, ada)).body.badge.level;
      await setCounts(api, ada, 13, 6);
      expect(await climb()).toBe(1);
      await setCounts(api, ada, 12, 6);
      expect(await climb()).toBe(1);
      const setRun = (days: number, endedDaysAgo: number) =>
        api.query`update nectar.user_badges
          set run_days = ${days}, last_sent_on = '2031-05-18'::date - ${endedDaysAgo}::int where user_id = ${ada.id}`;
      await setRun(2, 2);
      expect(await climb()).toBe(1);
      await setRun(1, 0);
      expect(await climb()).toBe(1);
      await setRun(2, 1);
      expect(await climb()).toBe(2);
    } finally {
      await api.query(rule, [null, null]);
    }
  });

  it("is recalculated by the job for recent senders only", async () => {
    await setCounts(api, ada, 10, 6);
    await setCounts(api, bob, 10, 6);
    await api.query`update nectar.user_badges set run_days = 1, last_sent_on = '2031-05-17' where user_id = ${ada.id}`;
    expect((await scene.run()).body.results).toMatchObject({ checked: 0, badges_updated: 1 });
    expect(await badgeOf(ada)).toMatchObject({ level: 2 });
    expect(await badgeOf(bob)).toMatchObject({ level: 1 });
    await setCounts(api, bob, 0, 0);
  });
});
