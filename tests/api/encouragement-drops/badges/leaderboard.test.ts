import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import { beforeTests } from "../../../support/prepare.ts";
import { ROOM, SYSTEM_USER, setCounts } from "../sending.ts";

const api = useApi();
const ada = beforeTests(() => api.person());

describe("GET /api/encouragement-drops/leaderboard", () => {
  beforeEach(() => api.query`update nectar.user_badges set total_drops_sent = 0, engagement_increases = 0`);

  it("sorts by engagements, success rate, drops sent and id, without synthetic users and users who sent nothing", async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => api.person()));
    people.sort((left, right) => (left.id < right.id ? -1 : 1));
    const [tieOne, tieTwo, rate, first, moreSent, lessSent, synthetic] = people;
    if (!tieOne || !tieTwo || !rate || !first || !moreSent || !lessSent || !synthetic) throw new Error("Seven people.");
    await setCounts(api, first, 90, 9);
    await setCounts(api, rate, 5, 4);
    await setCounts(api, tieOne, 8, 4);
    await setCounts(api, tieTwo, 8, 4);
    await setCounts(api, moreSent, 7, 0);
    await setCounts(api, lessSent, 6, 0);
    await setCounts(api, synthetic, 50, 50);
    await api.query`update nectar.profiles set is_ai = true where id = ${synthetic.id}`;
    const { body } = await api.get(`${ROOM}/leaderboard`, lessSent);
    expect(body.leaderboard.map((entry: { user_id: string }) => entry.user_id)).toEqual(
      [first, rate, tieOne, tieTwo, moreSent, lessSent].map(({ id }) => id),
    );
    expect(body.leaderboard.map((entry: { rank: number }) => entry.rank)).toEqual([1, 2, 3, 4, 5, 6]);
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
    expect(body.leaderboard.some((entry: { user_id: string }) => entry.user_id === SYSTEM_USER)).toBe(false);
  });

  it("has 50 entries by default, at most 100", async () => {
    await api.query`insert into auth.users (id, email) select gen_random_uuid(), 'b' || n || '@example.test'
      from generate_series(1, 110) n`;
    await api.query`update nectar.user_badges set total_drops_sent = 1`;
    const size = async (query: string) => (await api.get(`${ROOM}/leaderboard${query}`, ada)).body.leaderboard?.length;
    expect(await size("")).toBe(50);
    expect(await size("?limit=1")).toBe(1);
    expect(await size("?limit=500")).toBe(100);
    for (const limit of ["0", "-1", "x", "1.5"]) {
      expect((await api.get(`${ROOM}/leaderboard?limit=${limit}`, ada)).status, limit).toBe(400);
    }
  });
});
