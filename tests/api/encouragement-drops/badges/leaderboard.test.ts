import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { ROOM, sendTo, setCounts } from "../sending.ts";

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
    const body = await api.get(`${ROOM}/leaderboard`, lessSent).ok();
    // The system user is not among them.
    expect(body.leaderboard.map(({ rank, user_id }) => [rank, user_id])).toEqual(
      [first, rate, tieOne, tieTwo, moreSent, lessSent].map(({ id }, index) => [index + 1, id]),
    );
    expect(body.my_rank).toBe(6);
    expect(body.as_of).not.toBeNull();
    expect(body.leaderboard[1]).toMatchObject({
      badge_level: 1,
      badge_name: "Seedling",
      total_drops_sent: 5,
      engagement_increases: 4,
      success_rate: 80,
    });
    expect(await api.get(`${ROOM}/leaderboard?limit=2`, tieTwo).ok()).toMatchObject({ my_rank: 4 });
    for (const person of [synthetic, ada]) {
      expect(await api.get(`${ROOM}/leaderboard`, person).ok()).toMatchObject({ my_rank: null, as_of: null });
    }
  });

  it("has 50 entries by default, at most 100", async () => {
    await api.query`insert into auth.users (id, email) select gen_random_uuid(), 'b' || n || '@example.test'
      from generate_series(1, 110) n`;
    await api.query`update nectar.user_badges set total_drops_sent = 1`;
    const read = (query: string) => api.get(`${ROOM}/leaderboard${query}`, ada);
    for (const [query, size] of Object.entries({ "": 50, "?limit=1": 1, "?limit=500": 100 })) {
      expect((await read(query).ok()).leaderboard).toHaveLength(size);
    }
    for (const limit of ["0", "-1", "x", "1.5"]) await read(`?limit=${limit}`).invalid("limit");
  });

  it("leaves out people who hide, who have no rank, until they show themselves again", async () => {
    const [first, second] = [await api.person(), await api.person()];
    await setCounts(api, first, 9, 9);
    await setCounts(api, second, 5, 5);
    const read = async (as: Person) => {
      const { leaderboard, my_rank } = await api.get(`${ROOM}/leaderboard`, as).ok();
      return [leaderboard.map(({ rank, user_id }) => [rank, user_id]), my_rank];
    };
    await api.put("/api/user/profile", first, { leaderboard_visible: false }).ok();
    expect(await read(first)).toEqual([[[1, second.id]], null]);
    expect(await read(second)).toEqual([[[1, second.id]], 1]);
    await sendTo(api, first, ada).created();
    expect(await read(first)).toEqual([[[1, second.id]], null]);
    await api.put("/api/user/profile", first, { leaderboard_visible: true }).ok();
    expect((await read(second)).flat(2)).toEqual([1, first.id, 2, second.id, 2]);
  });

  it("leaves out people with a block in either direction, fills the page, and keeps the ranks of everyone", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => api.person()));
    for (const [index, person] of people.entries()) await setCounts(api, person, 10, 9 - index);
    const [reader, blocked, , blocking] = people;
    if (!reader || !blocked || !blocking) throw new Error("Six people.");
    await api.query`insert into nectar.blocks (user_id, blocked_id)
      values (${reader.id}, ${blocked.id}), (${blocked.id}, ${reader.id}), (${blocking.id}, ${reader.id})`;
    const ranks = async (as: Person, limit: number) => {
      const { leaderboard, my_rank } = await api.get(`${ROOM}/leaderboard?limit=${limit}`, as).ok();
      for (const { rank, user_id } of leaderboard) expect(people[rank - 1]?.id).toBe(user_id);
      return [...leaderboard.map(({ rank }) => rank), `own: ${my_rank}`];
    };
    expect(await ranks(reader, 3)).toEqual([1, 3, 5, "own: 1"]);
    expect(await ranks(blocked, 3)).toEqual([2, 3, 4, "own: 2"]);
    expect(await ranks(blocking, 6)).toEqual([2, 3, 4, 5, 6, "own: 4"]);
  });

  it("keeps the ranks of everyone if a blocked person with a better result hides", async () => {
    const [reader, blocked] = [await api.person(), await api.person()];
    await setCounts(api, reader, 5, 5);
    await setCounts(api, blocked, 9, 9);
    await api.put("/api/user/profile", blocked, { leaderboard_visible: false }).ok();
    await api.post("/api/blocks", reader, { user_id: blocked.id }).created();
    const { leaderboard, my_rank } = await api.get(`${ROOM}/leaderboard`, reader).ok();
    expect([leaderboard, my_rank]).toMatchObject([[{ rank: 1, user_id: reader.id }], 1]);
  });

  it("is filled with 100 people also if 100 people ahead of them are blocked", async () => {
    const crowd = await api.query<{ id: string }>`
      insert into auth.users (id, email) select gen_random_uuid(), 'c' || n || '@example.test'
      from generate_series(1, 200) n returning id`;
    const ids = crowd.map(({ id }) => id);
    await api.query`update nectar.user_badges set total_drops_sent = 1 where user_id = any (${ids})`;
    const ordered = ids.toSorted();
    await api.query`insert into nectar.blocks (user_id, blocked_id) select ${ada.id}, unnest(${ordered.slice(0, 100)}::uuid[])`;
    const { leaderboard } = await api.get(`${ROOM}/leaderboard?limit=100`, ada).ok();
    expect(leaderboard.map(({ user_id }) => user_id)).toEqual(ordered.slice(100));
    expect(leaderboard[0]?.rank).toBe(101);
    await api.query`delete from nectar.blocks`;
  });
});
