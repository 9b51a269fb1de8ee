import { formSquad } from "#tests/squads";
import { type BuildScenes, longest, type Stage } from "./stage.ts";

const GAME_DATE = "2026-03-04";

export const GAME: Readonly<Record<string, BuildScenes>> = {
  "/api/workout-window/battle/history": async (stage) => {
    const as = await stage.api.person();
    const result = { rounds: [], seed: "0".repeat(64), finalOutcome: longest(100) };
    const rows = await stage.quietly<{ id: string }>(
      `insert into nectar.battles (week_start_date, battle_status, winner, battle_result)
       select date '2026-01-05' - 7 * n, 'completed', 'tie', $1 from generate_series(1, 505) n returning id`,
      [{ ...result, redRobotPower: 0, blueRobotPower: 0, badGuyPower: 100 }],
    );
    return [{ path: "/api/workout-window/battle/history", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/workout-window/weekly-stats": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ week: string }>(
      `insert into nectar.weekly_workout_stats
         (week_start_date, user_id, team_color, days_planned, completed_count, failed_count, pending_count, chips_earned)
       select date '2026-01-05' - 7 * n, $1, 'blue', 7, 5, 1, 1, 20 from generate_series(1, 505) n
       returning week_start_date::text as week`,
      [as.id],
    );
    const keys = rows.map(({ week }) => week);
    return [{ path: "/api/workout-window/weekly-stats", as, keys, keyOf: (row) => row.weekStartDate }];
  },
  "/api/workout-window/checkins/{date}": async (stage) => {
    const { as, checkIns } = await gameDay(stage);
    return [{ path: `/api/workout-window/checkins/${GAME_DATE}`, as, keys: checkIns }];
  },
  "/api/workout-window/squad/{date}/messages": async (stage) => {
    const as = await stage.api.person();
    const date = "2026-03-05";
    await formSquad(stage.api, date, [as]);
    const path = `/api/workout-window/squad/${date}/messages`;
    const { id } = await stage.make(path, "teamMessage", as, { content: longest(2_000) });
    return [await stage.copied({ path, as }, "nectar.team_messages", id)];
  },
  "/api/workout-window/admin/checkins": async (stage) => {
    const { as, checkIns } = await gameDay(stage);
    return [{ path: "/api/workout-window/admin/checkins", as, keys: checkIns }];
  },
  "/api/workout-window/admin/teams/{date}": async (stage) => {
    const { as, players } = await gameDay(stage);
    const path = `/api/workout-window/admin/teams/${GAME_DATE}`;
    return [{ path, as, keys: players, keyOf: (row) => row.userId }];
  },
  "/api/workout-window/admin/ai-users": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.api.post("/api/workout-window/admin/ai-users/generate", as, { count: 300 });
    const rows = await stage.quietly<{ id: string }>("select user_id as id from nectar.synthetic_users");
    return [{ path: "/api/workout-window/admin/ai-users", as, keys: rows.map(({ id }) => id) }];
  },
};

const days = new WeakMap<Stage, ReturnType<typeof buildGameDay>>();

/** A date with more players, squads and check-ins than fit on a page, all with cards of the maximum size. */
function gameDay(stage: Stage): ReturnType<typeof buildGameDay> {
  const day = days.get(stage) ?? buildGameDay(stage);
  days.set(stage, day);
  return day;
}

async function buildGameDay(stage: Stage) {
  const as = await stage.api.person({ role: "super_admin" });
  const players = await stage.people(2_010);
  await stage.quietly(
    `insert into nectar.chains
       (date, user_id, team_color, area_key, activity_type, custom_activity, timezone, window_start_time, window_end_time,
        window_starts_at, window_ends_at, day_ends_at)
     select $1::date, p, 'red', 'place', 'other', $3, 'America/Argentina/ComodRivadavia', '06:00', '08:00',
       $1::date + time '06:00', $1::date + time '08:00', $1::date + interval '1 day'
     from unnest($2::uuid[]) p`,
    [GAME_DATE, players, longest(100)],
  );
  await stage.quietly(
    `insert into nectar.squads (date, team_color, user_1_id, user_2_id, user_3_id)
     select $1::date, 'red', $2[n], $2[n + 1], $2[n + 2] from generate_series(1, 2008, 3) n`.replaceAll(
      "$2[",
      "($2::uuid[])[",
    ),
    [GAME_DATE, players],
  );
  const rows = await stage.quietly<{ id: string }>(
    `insert into nectar.workout_checkins
       (user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at, reviewed_at,
        review_reason)
     select p, $1::date, 'other', 'verified', 'continued', 'red', '2026-03-02', now(), now(), $3
     from unnest($2::uuid[]) p returning id`,
    [GAME_DATE, players, longest(1_000)],
  );
  return { as, players, checkIns: rows.map(({ id }) => id) };
}
