import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { scheduleOf } from "#functions/schedules";
import { workoutWindowApp } from "#functions/workout-window/app";
import { JobResponse } from "#http/jobs/jobs";
import type { TestDatabase } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { fillPeople } from "./data.ts";
import { filledDatabase, onCopy, servicesOn } from "./databases.ts";
import { compare, type Figure, type Run, sized, timed } from "./figures.ts";
import { fillGame } from "./game-data.ts";

const PLAYERS = sized(100_000);
const SECRET = "the-secret-of-the-jobs-in-the-benchmark";
/** The Monday of the week that the benchmark ends. Its last date is open, all others are closed. */
const WEEK = "2027-01-11";
/** When the last date of the week has just ended for its players, and the week itself has not: they live in Moscow. */
const DAY_ENDED_AT = "2027-01-17T21:02:00Z";

/** Compares the end of a day and the weekly stats of many players with bare statements that write the same rows. */
export async function gameDayFigures(run: Run): Promise<Figure[]> {
  run.note(`filling a database with two weeks of ${PLAYERS} players`);
  const filled = await filledDatabase(run, "game_days", fillWeeks);
  const figures: Figure[] = [];
  for (const [what, path, now, counted, bare] of [
    ["end of a day", scheduleOf("end-of-day").path, DAY_ENDED_AT, "closed", END_DAYS_BARE],
    ["weekly stats", scheduleOf("weekly-stats").path, `${addDays(WEEK, 7)}T00:00:00Z`, "changed", COUNT_WEEKS_BARE],
  ] as const) {
    run.note(`${what}: the job and the bare statements`);
    figures.push(
      await compare({
        name: `${what} of 100,000 players: the job / bare statements that write the same rows`,
        bar: { atMost: 2 },
        rounds: 3,
        ours: () => onCopy(run, filled, (copy) => runJob(copy, path, new Date(now), counted)),
        theirs: () =>
          onCopy(run, filled, ({ adminUrl }) =>
            withConnection(adminUrl, (client) => timed(() => client.query(`begin; ${bare}; commit`))),
          ),
      }),
    );
  }
  return figures;
}

/** Runs a job through its route, and returns how many milliseconds it took. */
async function runJob(database: TestDatabase, path: string, now: Date, counted: string): Promise<number> {
  await using services = servicesOn(database, { WORKOUT_WINDOW_CRON_SECRET: SECRET }, () => now);
  await services.database.ping();
  const app = workoutWindowApp(services);
  return await timed(async () => {
    const response = await app.request(path, { method: "POST", headers: { "x-cron-secret": SECRET } });
    const { results } = JobResponse.parse(await response.json());
    if (Number(results?.[counted]) !== PLAYERS) throw new Error(`${path}: ${JSON.stringify(results)}`);
  });
}

/** The week before was counted when it had ended; since then some of its check-ins were reviewed. */
async function fillWeeks(client: pg.ClientBase): Promise<void> {
  await fillPeople(client, PLAYERS);
  await fillGame(client, { date: addDays(WEEK, 6), start: "18:00", timezone: "Europe/Moscow", daysBefore: 13 });
  await client.query(
    `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     select id, 'https://push.bench.test/' || n, repeat('p', 87), repeat('a', 22) from people;
     insert into nectar.team_colors (user_id, week_start_date, color)
     select id, '${WEEK}'::date - 7 * w, color from players cross join generate_series(0, 1) w;
     insert into nectar.battles (week_start_date, battle_status) values ('${WEEK}', 'in_progress');
     insert into nectar.weekly_workout_stats (week_start_date, user_id, team_color, days_planned, completed_count,
       failed_count, pending_count, is_over, chips_earned)
     select '${WEEK}'::date - 7, c.user_id, max(c.team_color), count(*), count(*) filter (where k.status = 'verified'),
       count(*) filter (where k.status is distinct from 'verified' and k.status is distinct from 'pending'),
       count(*) filter (where k.status = 'pending'), true,
       coalesce(sum(k.battle_chips_earned) filter (where k.status = 'verified'), 0)
     from nectar.chains c
     left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
     where c.date < '${WEEK}'
     group by c.user_id;
     update nectar.workout_checkins set status = 'verified', verified_at = created_at
     where status = 'pending' and date = '${WEEK}'::date - 1;
     insert into private.game_notices (user_id, date, kind, window_starts_at)
     select c.user_id, c.date, 'checkin_reminder', c.window_starts_at from nectar.chains c
     where c.date = '${WEEK}'::date + 6`,
  );
}

/** Leaves out batches, locks of profiles, later streaks and the check for synthetic users. */
const END_DAYS_BARE = `
  create temp table ended on commit drop as
  select c.user_id, c.date, c.after_user_id, c.team_color, k.status
  from private.open_days o
  join nectar.chains c on c.id = o.chain_id
  left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
  where o.day_ends_at <= '${DAY_ENDED_AT}';
  delete from private.open_days where day_ends_at <= '${DAY_ENDED_AT}';
  update nectar.workout_checkins k set chain_status = 'broken'
  from ended e
  where k.user_id = e.after_user_id and k.date = e.date and coalesce(e.status, 'rejected') = 'rejected';
  insert into private.game_notices (user_id, date, kind)
  select e.after_user_id, e.date, 'chain_broken'
  from ended e where coalesce(e.status, 'rejected') = 'rejected' and e.after_user_id is not null;
  insert into nectar.notifications (user_id, type, data)
  select e.after_user_id, 'chain_broken', jsonb_build_object('date', e.date)
  from ended e where coalesce(e.status, 'rejected') = 'rejected' and e.after_user_id is not null;
  insert into nectar.notifications (user_id, type, data)
  select e.user_id, 'battle_progress',
    jsonb_build_object('date', e.date, 'week_start_date', '${WEEK}', 'team_color', e.team_color, 'red_team_chips', d.red,
      'blue_team_chips', d.blue)
  from ended e
  cross join (
    select sum(d.red_chips) as red, sum(d.blue_chips) as blue from private.battle_days('${WEEK}') d
  ) d
  where e.status = 'verified'`;

/** Leaves out batches and locks of profiles. */
const COUNT_WEEKS_BARE = [0, -7]
  .map((days) => addDays(WEEK, days))
  .map(
    (week) => `
      with counted as (
        insert into nectar.weekly_workout_stats as s (week_start_date, user_id, team_color, days_planned, completed_count,
          failed_count, pending_count, chips_earned)
        select '${week}', c.user_id, max(c.team_color), count(*), count(*) filter (where k.status = 'verified'),
          count(*) filter (where coalesce(k.status, 'rejected') = 'rejected'),
          count(*) filter (where k.status = 'pending'),
          coalesce(sum(k.battle_chips_earned) filter (where k.status = 'verified'), 0)
        from nectar.chains c
        left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
        where c.date between '${week}' and '${addDays(week, 6)}'
        group by c.user_id
        on conflict (week_start_date, user_id) do update
          set completed_count = excluded.completed_count, failed_count = excluded.failed_count,
            pending_count = excluded.pending_count, chips_earned = excluded.chips_earned
          where (s.completed_count, s.failed_count, s.pending_count, s.chips_earned)
            is distinct from (excluded.completed_count, excluded.failed_count, excluded.pending_count, excluded.chips_earned)
        returning s.*, xmax = 0 as is_first
      )
      insert into nectar.notifications (user_id, type, data)
      select c.user_id, 'weekly_stats', jsonb_build_object(
        'week_start_date', '${week}', 'days_planned', c.days_planned, 'completed_count', c.completed_count,
        'chips_earned', c.chips_earned
      )
      from counted c
      where c.is_first`,
  )
  .join(";");
