import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const DATE = "2026-11-21";

const game = gameOf(api);
let people: Person[];
let synthetic: string[];
const root = beforeTests(() => api.person({ role: "super_admin" }));
const generate = (count: number, config: object) =>
  api
    .post(`${GAME}/admin/ai-users/generate`, root, { count, config: { regions: { Midwest: 1 }, ...config } })
    .created();
beforeAll(async () => {
  api.at(`${DATE}T00:30:00Z`);
  people = [];
  for (const hour of [6, 6, 9, 9, 12]) people.push(await game.player("Chicago", hour, "America/Chicago"));
  const { users } = await generate(40, { checkInProbability: 1, seed: "teams" });
  synthetic = users.map(({ id }) => id);
  await game.cron({ date: DATE });
});

const read = (query = "") => api.get(`${GAME}/admin/teams/${DATE}?${query}`, root).ok();

describe("GET /api/workout-window/admin/teams/:date", () => {
  it("shows each member once, people and synthetic users separately, and each squad with its members", async () => {
    const body = await read();
    const { redTeam: red, blueTeam: blue } = body;
    const members = [...red.members, ...blue.members];
    expect(members.map(({ userId }) => userId).toSorted()).toEqual(
      [...people.map(({ id }) => id), ...synthetic].toSorted(),
    );
    expect(body.summary).toMatchObject({ totalMembers: 45, realUsers: 5, aiUsers: 40 });
    expect([red.realUsers + blue.realUsers, red.aiUsers + blue.aiUsers]).toEqual([5, 40]);
    expect(body.summary.squads).toBe(red.squads.length + blue.squads.length);
    expect(body.summary.squads).toBeGreaterThan(5);
    expect(body.nextCursor).toBeNull();
    for (const team of [red, blue]) {
      expect(team.members.filter(({ isAi }) => !isAi)).toHaveLength(team.realUsers);
      const own = new Set(synthetic);
      for (const { userId, isAi } of team.members) expect(isAi).toBe(own.has(userId));
      for (const { id, user1, user2, user3 } of team.squads) {
        const inSquad = team.members.filter(({ squadId }) => squadId === id).map(({ userId }) => userId);
        expect([user1, user2, user3].map((card) => card?.id).toSorted()).toEqual(inSquad.toSorted());
      }
    }
    const stored = await api.query`select user_id, team_color, squad_id from nectar.chains where date = ${DATE}`;
    for (const { user_id, team_color, squad_id } of stored) {
      const team = team_color === "red" ? red : blue;
      expect(team.members.find(({ userId }) => userId === user_id)?.squadId).toBe(squad_id);
    }
  });

  it("shows the state of each member's day", async () => {
    const [early, , late] = people;
    const statuses = async () => {
      const body = await read();
      const members = [...body.redTeam.members, ...body.blueTeam.members];
      return new Map(members.map(({ userId, status }) => [userId, status]));
    };
    expect(new Set((await statuses()).values())).toEqual(new Set(["not_started"]));
    // 06:00 in Chicago is 12:00 UTC; the grace ends at 14:15.
    api.at(`${DATE}T14:15:00Z`);
    expect((await statuses()).get(early?.id ?? "")).toBe("pending");
    api.at(`${DATE}T14:15:01Z`);
    const after = await statuses();
    expect([after.get(early?.id ?? ""), after.get(late?.id ?? "")]).toEqual(["failed", "not_started"]);
    for (const [status, shown] of Object.entries({ verified: "completed", pending: "pending", rejected: "failed" })) {
      await api.query`insert into nectar.workout_checkins
          (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
        values (${early?.id}, ${DATE}, 'walk', ${status}, 'continued', '2026-11-16', now())
        on conflict (user_id, date) do update set status = excluded.status`;
      expect((await statuses()).get(early?.id ?? "")).toBe(shown);
    }
  });

  it("returns pages of members with each squad once, and counts over all members", async () => {
    const whole = await read();
    const members: string[] = [];
    const squads: string[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? "" : `&cursor=${cursor}`;
      const body = await read(`limit=7${after}`);
      expect(body.summary).toEqual(whole.summary);
      const teams = [body.redTeam, body.blueTeam];
      expect(teams.flatMap((team) => team.members).length).toBeLessThanOrEqual(7);
      members.push(...teams.flatMap((team) => team.members.map(({ userId }) => userId)));
      squads.push(...teams.flatMap((team) => team.squads.map(({ id }) => id)));
      cursor = body.nextCursor;
    } while (cursor !== null);
    const all = [whole.redTeam, whole.blueTeam];
    expect(members.toSorted()).toEqual(all.flatMap((team) => team.members.map(({ userId }) => userId)).toSorted());
    expect(squads.toSorted()).toEqual(all.flatMap((team) => team.squads.map(({ id }) => id)).toSorted());
  });

  it("keeps the rest of a squad if a synthetic user is deleted", async () => {
    const [gone = ""] = synthetic;
    await api.delete(`${GAME}/admin/ai-users/${gone}`, root).ok();
    const body = await read();
    expect(body.summary).toMatchObject({ totalMembers: 44, realUsers: 5, aiUsers: 39 });
    expect(JSON.stringify(body)).not.toContain(gone);
  });

  it("has two empty teams on a date without chains", async () => {
    const body = await api.get(`${GAME}/admin/teams/2001-01-01`, root).ok();
    const empty = { members: [], squads: [], realUsers: 0, aiUsers: 0 };
    const summary = { totalMembers: 0, realUsers: 0, aiUsers: 0, squads: 0 };
    expect(body).toEqual({ date: "2001-01-01", redTeam: empty, blueTeam: empty, summary, nextCursor: null });
  });
});

describe("synthetic users", () => {
  it("leave the chains when they are deactivated, and come back", async () => {
    api.at("2026-11-21T12:00:00Z");
    const [, , user = ""] = synthetic;
    const tomorrow = "2026-11-22";
    const plays = async () =>
      (await api.query`select from nectar.chains where user_id = ${user} and date = ${tomorrow}`).length;
    await game.cron({ date: tomorrow });
    expect(await plays()).toBe(1);
    await api.put(`${GAME}/admin/ai-users/${user}/toggle`, root, { isActive: false });
    expect(await plays()).toBe(0);
    await api.put(`${GAME}/admin/ai-users/${user}/toggle`, root, { isActive: true });
    expect(await plays()).toBe(1);
  });

  it("do not play a window that was over before they were created or activated", async () => {
    const late = "2026-12-02";
    api.at(`${late}T21:00:00Z`);
    const { users } = await generate(20, { windows: { "6-8am": 0.5, "6-8pm": 0.5 }, seed: "latecomers" });
    const ids = users.map(({ id }) => id);
    const starts = () => api.query`select distinct to_char(window_start_time, 'HH24:MI') as at from nectar.chains
      where date = ${late} and user_id = any (${ids}::uuid[])`;
    expect(await starts()).toEqual([{ at: "18:00" }]);
    for (const isActive of [false, true]) {
      for (const id of ids) await api.put(`${GAME}/admin/ai-users/${id}/toggle`, root, { isActive });
    }
    expect(await starts()).toEqual([{ at: "18:00" }]);
  });
});
