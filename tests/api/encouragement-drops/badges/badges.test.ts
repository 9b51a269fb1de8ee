import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { HOUR_MS, type Scene, SECRET, sceneOf } from "../engaging.ts";
import { ROOM, SYSTEM_USER, sendTo } from "../sending.ts";

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
let scene: Scene;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  scene = sceneOf(api);
  bob = await api.person();
});
beforeEach(async () => {
  await api.query("delete from nectar.encouragement_drops");
  ada = await api.person({ fullName: "Ada" });
});

const badgeOf = async (person: Person) => (await api.get(`${ROOM}/badge`, person)).body.badge;
const milestonesOf = async (person: Person) => (await api.get(`${ROOM}/badge/milestones`, person)).body.milestones;

/** Sets what counts for a badge, as years of drops would have. */
const setCounts = (person: Person, sent: number, engaged: number) =>
  api.query("update nectar.user_badges set total_drops_sent = $2, engagement_increases = $3 where user_id = $1", [
    person.id,
    sent,
    engaged,
  ]);

/** So many drops in the past that were followed by an entry. */
async function succeed(count: number) {
  const at = Date.now() - HOUR_MS;
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
      await setCounts(ada, 3_000, from - 1);
      await api.post(`${ROOM}/badge/update`, ada);
      expect(await badgeOf(ada)).toMatchObject({ level: level - 1, progress: { percent: expect.any(Number) } });
      expect((await badgeOf(ada)).progress).toMatchObject({ current: from - 1, required: from, remaining: 1 });
    }
    await setCounts(ada, 3_000, from);
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

  it("is climbed from 5 to 21 with two milestones and one notification", async () => {
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
    const told = (await api.get("/api/notifications", ada)).body.notifications;
    expect(told).toMatchObject([{ type: "badge_earned", data: { level: 3, badge_name: "Bloom" } }]);
    await scene.run();
    expect(await milestonesOf(ada)).toHaveLength(3);
  });

  it("is not climbed down", async () => {
    await setCounts(ada, 100, 60);
    await api.post(`${ROOM}/badge/update`, ada);
    await setCounts(ada, 100, 3);
    expect((await api.post(`${ROOM}/badge/update`, ada)).body).toMatchObject({
      leveled_up: false,
      badge: { level: 4, progress: { current: 3, required: 151, percent: 0 } },
    });
  });

  it("may ask for a success rate and a run of days too; then both must hold", async () => {
    const rule = "update nectar.badge_definitions set min_success_rate = $1, min_consecutive_days = $2 where level = 2";
    await api.query(rule, [50, 2]);
    try {
      const climb = async () => (await api.post(`${ROOM}/badge/update`, ada)).body.badge.level;
      await setCounts(ada, 13, 6);
      expect(await climb()).toBe(1);
      await setCounts(ada, 12, 6);
      expect(await climb()).toBe(1);
      const setRun = (days: number, endedDaysAgo: number) =>
        api.query(
          "update nectar.user_badges set run_days = $2, last_sent_on = (now() at time zone 'UTC')::date - $3::int where user_id = $1",
          [ada.id, days, endedDaysAgo],
        );
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

  it("is walked again by the job for those who sent a drop lately, and by no other", async () => {
    await setCounts(ada, 10, 6);
    await setCounts(bob, 10, 6);
    await api.query(
      "update nectar.user_badges set run_days = 1, last_sent_on = (now() at time zone 'UTC')::date - $2::int where user_id = $1",
      [ada.id, 1],
    );
    expect((await scene.run()).body.results).toMatchObject({ checked: 0, badges_updated: 1 });
    expect(await badgeOf(ada)).toMatchObject({ level: 2 });
    expect(await badgeOf(bob)).toMatchObject({ level: 1 });
    await setCounts(bob, 0, 0);
  });
});

describe("a badge", () => {
  it("is a Seedling from sign-up on, with its milestone", async () => {
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

  it("counts drops as they are sent, and the answer shows it", async () => {
    const { body } = await sendTo(api, ada, bob);
    expect(body.badge).toMatchObject({ total_drops_sent: 1, consecutive_days: 1, success_rate: 0 });
    expect(await badgeOf(ada)).toEqual(body.badge);
  });

  it("knows the run of days up to today or yesterday", async () => {
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

  it("counts drops that arrive together by their days", async () => {
    await api.query(
      `insert into nectar.encouragement_drops
         (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
       select $1, $2, 'x', true, day, day + time '12:00' at time zone 'UTC', day + interval '2 days'
       from unnest(array['2026-11-01', '2026-11-03', '2026-11-04', '2026-11-04', '2026-11-05']::date[]) day`,
      [ada.id, bob.id],
    );
    const [row] = await api.query(
      "select total_drops_sent, run_days, last_sent_on::text from nectar.user_badges where user_id = $1",
      [ada.id],
    );
    expect(row).toEqual({ total_drops_sent: 5, run_days: 3, last_sent_on: "2026-11-05" });
  });

  it("has a success rate of two decimals", async () => {
    await setCounts(ada, 3, 2);
    expect((await badgeOf(ada)).success_rate).toBe(66.67);
  });

  it("keeps its counts when a recipient deletes their account", async () => {
    const gone = await api.person();
    await sendTo(api, ada, gone);
    await api.query("delete from auth.users where id = $1", [gone.id]);
    expect(await badgeOf(ada)).toMatchObject({ total_drops_sent: 1 });
  });

  it("of anybody can be seen, with milestones; an unknown person is 404, no UUID is 400, nobody is 401", async () => {
    expect((await api.get(`${ROOM}/badge/${ada.id}`, bob)).body.badge.user_id).toBe(ada.id);
    const { milestones } = (await api.get(`${ROOM}/badge/milestones?user_id=${ada.id}`, bob)).body;
    expect(milestones).toMatchObject([{ user_id: ada.id, level: 1 }]);
    const nobody = randomUUID();
    for (const path of [`badge/${nobody}`, `badge/milestones?user_id=${nobody}`]) {
      const { status, body } = await api.get(`${ROOM}/${path}`, bob);
      expect([status, body.code], path).toEqual([404, "user.not_found"]);
    }
    for (const path of ["badge/me", "badge/milestones?user_id=me"]) {
      expect((await api.get(`${ROOM}/${path}`, bob)).status, path).toBe(400);
    }
    for (const path of ["badge", `badge/${ada.id}`, "badge/milestones", "leaderboard", "badge-definitions"]) {
      expect((await api.get(`${ROOM}/${path}`)).status, path).toBe(401);
    }
  });
});

describe("POST /api/encouragement-drops/badges/bulk", () => {
  const bulk = (ids: unknown) => api.post(`${ROOM}/badges/bulk`, bob, { user_ids: ids });

  it("answers in the order of the question and leaves out who does not exist", async () => {
    const { body } = await bulk([bob.id, randomUUID(), ada.id, bob.id]);
    expect(body.badges.map((badge: { user_id: string }) => badge.user_id)).toEqual([bob.id, ada.id, bob.id]);
  });

  it("takes 1 to 100 ids", async () => {
    expect((await bulk(Array.from({ length: 100 }, () => randomUUID()))).body).toEqual({ badges: [] });
    for (const ids of [[], Array.from({ length: 101 }, () => randomUUID()), ["me"], "me", undefined]) {
      expect((await bulk(ids)).status).toBe(400);
    }
  });
});

describe("GET /api/encouragement-drops/leaderboard", () => {
  beforeEach(() => api.query("update nectar.user_badges set total_drops_sent = 0, engagement_increases = 0"));

  it("goes by engagements, then success rate, then drops sent, then id, without synthetic users and who sent nothing", async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => api.person()));
    people.sort((left, right) => (left.id < right.id ? -1 : 1));
    const [tieOne, tieTwo, rate, first, moreSent, lessSent, synthetic] = people;
    if (!tieOne || !tieTwo || !rate || !first || !moreSent || !lessSent || !synthetic) throw new Error("Seven people.");
    await setCounts(first, 90, 9);
    await setCounts(rate, 5, 4);
    await setCounts(tieOne, 8, 4);
    await setCounts(tieTwo, 8, 4);
    await setCounts(moreSent, 7, 0);
    await setCounts(lessSent, 6, 0);
    await setCounts(synthetic, 50, 50);
    await api.query("update nectar.profiles set is_ai = true where id = $1", [synthetic.id]);
    const { body } = await api.get(`${ROOM}/leaderboard`, lessSent);
    expect(body.leaderboard.map((place: { user_id: string }) => place.user_id)).toEqual(
      [first, rate, tieOne, tieTwo, moreSent, lessSent].map(({ id }) => id),
    );
    expect(body.leaderboard.map((place: { rank: number }) => place.rank)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(body.my_rank).toBe(6);
    expect(body.leaderboard[1]).toMatchObject({
      badge_level: 1,
      badge_name: "Seedling",
      total_drops_sent: 5,
      engagement_increases: 4,
      success_rate: 80,
    });
    const top = await api.get(`${ROOM}/leaderboard?limit=2`, tieTwo);
    expect(top.body.leaderboard).toHaveLength(2);
    expect(top.body.my_rank).toBe(4);
    expect((await api.get(`${ROOM}/leaderboard`, synthetic)).body.my_rank).toBeNull();
    expect((await api.get(`${ROOM}/leaderboard`, ada)).body.my_rank).toBeNull();
    expect(body.leaderboard.some((place: { user_id: string }) => place.user_id === SYSTEM_USER)).toBe(false);
  });

  it("has 50 places unless told otherwise, at most 100", async () => {
    await api.query(
      "insert into auth.users (id, email) select gen_random_uuid(), 'b' || n || '@example.test' from generate_series(1, 110) n",
    );
    await api.query("update nectar.user_badges set total_drops_sent = 1");
    const size = async (query: string) => (await api.get(`${ROOM}/leaderboard${query}`, ada)).body.leaderboard?.length;
    expect(await size("")).toBe(50);
    expect(await size("?limit=1")).toBe(1);
    expect(await size("?limit=500")).toBe(100);
    for (const limit of ["0", "-1", "x", "1.5"]) {
      expect((await api.get(`${ROOM}/leaderboard?limit=${limit}`, ada)).status, limit).toBe(400);
    }
  });
});
