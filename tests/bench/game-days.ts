import type pg from "pg";
import { readConfig } from "#config/config";
import { addDays } from "#core/time/calendar-date";
import { scheduleOf } from "#functions/schedules";
import { workoutWindowApp } from "#functions/workout-window/app";
import { JobResponse } from "#http/jobs/jobs";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, dropDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { copyDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { DAY_ENDED_AT, fillWeeks, WEEK } from "./game-weeks.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const PLAYERS = 100_000;
const SECRET = "the-secret-of-the-jobs-in-the-benchmark";

/** A job at a moment, and the result that counts the players it has done. */
interface MeasuredJob {
  readonly path: string;
  readonly at: string;
  readonly counted: string;
}

const END_OF_DAY: MeasuredJob = { path: scheduleOf("end-of-day").path, at: DAY_ENDED_AT, counted: "closed" };
const WEEKLY_STATS: MeasuredJob = {
  path: scheduleOf("weekly-stats").path,
  at: `${addDays(WEEK, 7)}T00:00:00Z`,
  counted: "changed",
};

/** Compares the end of a day and the weekly stats of many players with bare statements that write the same rows. */
export async function gameDayFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`filling a database with two weeks of ${PLAYERS.toLocaleString("en")} players`);
  const filled = await cloneDatabase(cluster, "bench_game_days");
  // Not over a pool: a database is copied and dropped only while it has no connections.
  await withConnection(filled.adminUrl, (client) => fillWeeks(client, PLAYERS));
  const onCopy = (work: (database: TestDatabase) => Promise<number>) => async () => {
    const copy = await copyDatabase(cluster, filled, "bench_game_days_copy");
    try {
      return await work(copy);
    } finally {
      await dropDatabase(cluster, copy.name);
    }
  };
  const figures: Figure[] = [];
  for (const [name, job, bare] of [
    ["end of a day", (copy: TestDatabase) => runJob(copy, END_OF_DAY), END_DAYS_BARE],
    ["weekly stats", (copy: TestDatabase) => runJob(copy, WEEKLY_STATS), COUNT_WEEKS_BARE],
  ] as const) {
    note(`${name}: the job and the bare statements`);
    const [ours = [], theirs = []] = await alternate(3, [
      onCopy(job),
      onCopy((copy) => withConnection(copy.adminUrl, (client) => timed(client, bare))),
    ]);
    figures.push({
      name: `${name} of ${PLAYERS.toLocaleString("en")} players: the job / bare statements that write the same rows`,
      ratio: medianRatio(ours, theirs),
      bar: { atMost: 2 },
      measured: `${median(ours).toFixed(0)} / ${median(theirs).toFixed(0)} ms`,
    });
  }
  return figures;
}

/** Runs a job through its route, and returns how many milliseconds it took. */
async function runJob(database: TestDatabase, { path, at, counted }: MeasuredJob): Promise<number> {
  const services = servicesFor(readConfig({ ...environmentOf(database), WORKOUT_WINDOW_CRON_SECRET: SECRET }), {
    logger: createLogger("warn"),
    clock: { now: () => new Date(at) },
  });
  try {
    await services.database.ping();
    const app = workoutWindowApp(services);
    const before = performance.now();
    const response = await app.request(path, { method: "POST", headers: { "x-cron-secret": SECRET } });
    const time = performance.now() - before;
    const { results } = JobResponse.parse(await response.json());
    if (Number(results?.[counted]) !== PLAYERS)
      throw new Error(`${path}: ${response.status} ${JSON.stringify(results)}`);
    return time;
  } finally {
    await services.database.close();
  }
}

/** Milliseconds of statements in one transaction of the superuser. */
async function timed(client: pg.Client, statements: string): Promise<number> {
  const before = performance.now();
  await client.query(`begin; ${statements}; commit`);
  return performance.now() - before;
}

/** Leaves out slices, locks of profiles, later streaks and the check for synthetic users. */
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

/** Leaves out slices and locks of profiles. */
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
