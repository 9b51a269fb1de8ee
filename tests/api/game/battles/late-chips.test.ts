import { describe, expect, it } from "vitest";
import type { Queries } from "#tests/sql";
import { GAME } from "../chain-scene.ts";
import { checkIn, playDay } from "../game-days.ts";
import { battleScene } from "./battle-scene.ts";

const { api, execute, people, play, readWeek } = battleScene();

const CHIPS = [1, 2, 3, 4] as const;

describe("chips after the end", () => {
  it("count for the next battle", async () => {
    await play();
    await execute();
    await playDay(api, { person: people.ben, date: "2026-11-19", team: "red", status: "verified", chips: 3 });
    const joined = await api.one`select battle_week_start::text from nectar.workout_checkins
      where user_id = ${people.ben.id} and date = '2026-11-19'`;
    expect(joined).toEqual({ battle_week_start: "2026-11-23" });
    api.at("2026-11-23T08:00:00Z");
    const { body } = await readWeek("2026-11-23");
    expect(body.redTeam).toEqual({ totalChips: 3, robotPower: 30 + 5 + 60, members: 1 });
    expect(body.dailyStats).toHaveLength(7);
    expect(body.dailyStats[0]).toEqual({ date: "2026-11-23", redTeamChips: 3, blueTeamChips: 0 });
  });

  it("count for exactly one battle when check-ins, reviews and the end run at the same time", async () => {
    const statuses = ["verified", "pending", "rejected"] as const;
    const players = await Promise.all(Array.from({ length: 24 }, () => api.person()));
    for (const [index, person] of players.entries()) {
      const day = { person, date: "2026-11-17", team: index % 2 === 0 ? "red" : "blue" } as const;
      await playDay(api, { ...day, status: statuses[index % 3] ?? "pending", chips: CHIPS[index % 4] ?? 1 });
    }
    const ids: { id: string; status: string }[] = await api.query`select id, status from nectar.workout_checkins`;
    const review = ({ id, status }: { id: string; status: string }) => {
      const decision = { status: status === "verified" ? "rejected" : "verified", reason: "Looked at again." };
      return api.put(`${GAME}/admin/checkins/${id}`, people.admin, decision);
    };
    const [ended, ...rest] = await Promise.all([
      execute(),
      ...ids.slice(0, 16).map(review),
      ...players.slice(0, 8).map((person) => checkIn(api, { person, date: "2026-11-18", team: "red", chips: 4 })),
      execute(),
    ]);
    expect(rest.every((response) => response === undefined || response.status === 200)).toBe(true);
    api.at("2026-11-23T08:00:00Z");
    const next = (await readWeek("2026-11-23")).body.battle;
    // Check-ins that were rejected after the end stay in their battle.
    const sums = await api.one<{ old: number; new: number }>`select
        coalesce(sum(battle_chips_earned) filter (where battle_week_start = '2026-11-16'), 0)::integer as old,
        coalesce(sum(battle_chips_earned) filter (where battle_week_start = '2026-11-23'), 0)::integer as new
      from nectar.workout_checkins where status = 'verified'`;
    expect(next.red_team_chips + next.blue_team_chips).toBe(sums.new);
    const counted = ended.body.battle.red_team_chips + ended.body.battle.blue_team_chips;
    const late = await api.one<{ chips: number }>(
      `select coalesce(sum((private.chip_breakdown('verified', k.chain_status, k.is_early, k.has_streak) ->> 'earned')::integer), 0)::integer as chips
       from nectar.workout_checkins k
       where k.status = 'rejected' and k.verified_at is not null and k.battle_week_start = '2026-11-16'`,
    );
    expect(counted).toBeGreaterThanOrEqual(sums.old);
    expect(counted).toBeLessThanOrEqual(sums.old + late.chips);
  });

  it("are not lost when check-ins arrive while the battle ends", async () => {
    await play();
    const players = await Promise.all(Array.from({ length: 12 }, () => api.person()));
    const [ended] = await Promise.all([
      execute(),
      ...players.map((person) => checkIn(api, { person, date: "2026-11-18", team: "red", chips: 1 })),
    ]);
    const sums = await api.one<{ this_week: number; next_week: number | null }>(
      `select sum(battle_chips_earned) filter (where battle_week_start = '2026-11-16')::integer as this_week,
         sum(battle_chips_earned) filter (where battle_week_start = '2026-11-23')::integer as next_week
       from nectar.workout_checkins where status = 'verified' and team_color = 'red'`,
    );
    expect(sums.this_week).toBe(ended.body.battle.red_team_chips);
    expect(sums.this_week + (sums.next_week ?? 0)).toBe(5 + players.length);
  });
});

it("check-ins of a running battle do not wait for each other, and it does not end before they are committed", async () => {
  const week = "2026-11-02";
  const join = async ({ query, one }: Queries) => {
    await query`set local lock_timeout = '300ms'`;
    return one`select private.join_battle(${week})::text as week`;
  };
  await api.query`select private.join_battle(${week})`;
  await api.inTransaction(async (one) => {
    expect(await join(one)).toEqual({ week });
    await api.inTransaction(async (other) => {
      expect(await join(other)).toEqual({ week });
      await api.inTransaction(async ({ query }) => {
        await query`set local lock_timeout = '300ms'`;
        const ending = query`select private.lock_battle(${week})`;
        await expect(ending).rejects.toMatchObject({ code: "55P03" });
      });
    });
  });
});
