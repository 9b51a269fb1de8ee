import type pg from "pg";
import { fillPeople } from "./data.ts";

/** The Monday of the week that the benchmark ends. Its last date is open, all others are closed. */
export const WEEK = "2027-01-11";
/** When the last date of the week has just ended for its players, who live in Moscow. */
export const DAY_ENDED_AT = "2027-01-17T21:02:00Z";

/**
 * Fills a database with players who have had a window on each date of two weeks: on 70 % of the dates they checked in, on
 * 5 % each the check-in waits for review or was rejected, on the others there is none. Each has a device.
 */
export async function fillWeeks(client: pg.Client, players: number): Promise<void> {
  await fillPeople(client, players);
  await client.query(
    `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     select id, 'https://push.bench.test/' || n, repeat('p', 87), repeat('a', 22) from people`,
  );
  await client.query(
    `insert into nectar.team_colors (user_id, week_start_date, color)
     select id, '${WEEK}'::date - 7 * w, (array['red', 'blue'])[1 + n % 2]::nectar.team_color
     from people cross join generate_series(0, 1) w`,
  );
  // Chains of seven, one window after the other.
  await client.query(
    `create temp table days as
     select p.id, p.n, d.date, (p.n * 7919::bigint + d.number * 31) % 100 as luck, p.n % 7 as slot, b.id as before, a.id as after,
       d.date + make_interval(hours => 6 + 2 * (p.n % 7)) as starts,
       lag((p.n * 7919::bigint + d.number * 31) % 100) over (partition by d.date order by p.n) as luck_before
     from people p
     cross join (
       select number, '${WEEK}'::date + number as date from generate_series(-7, 6) number
     ) d
     left join people b on b.n = p.n - 1 and p.n % 7 > 0
     left join people a on a.n = p.n + 1 and a.n % 7 > 0`,
  );
  await client.query(
    `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type, timezone,
       window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select date, id, before, after, (array['red', 'blue'])[1 + n % 2]::nectar.team_color, 'area ' || n / 50, 'walk',
       'Europe/Moscow', starts::time, starts::time + interval '2 hours', starts at time zone 'Europe/Moscow',
       (starts + interval '2 hours') at time zone 'Europe/Moscow', (date + 1)::timestamp at time zone 'Europe/Moscow'
     from days`,
  );
  await client.query(
    `insert into private.open_days (day_ends_at, user_id, chain_id)
     select day_ends_at, user_id, id from nectar.chains where date = '${WEEK}'::date + 6`,
  );
  await client.query(
    `insert into nectar.workout_checkins (user_id, chain_id, date, activity_type, status, chain_status, has_streak, team_color,
       battle_week_start, created_at, verified_at)
     select d.id, c.id, d.date, 'walk', d.status,
       (case when d.slot > 0 and d.luck_before >= 75 and d.date < '${WEEK}'::date + 6 then 'broken' else 'continued' end
         )::nectar.chain_status,
       d.run = 6, c.team_color, private.week_start(d.date), c.window_starts_at,
       case when d.status = 'verified' then c.window_starts_at end
     from (
       select *, (case when luck < 70 then 'verified' when luck < 75 then 'pending' else 'rejected' end
           )::nectar.checkin_status as status,
         count(*) filter (where luck < 70) over (partition by id order by date rows between 6 preceding and 1 preceding) as run
       from days
     ) d
     join nectar.chains c on c.user_id = d.id and c.date = d.date
     where d.luck < 80`,
  );
  await client.query("insert into nectar.battles (week_start_date, battle_status) values ($1, 'in_progress')", [WEEK]);
  // The week before was counted when it had ended; since then some of its check-ins were reviewed.
  await client.query(
    `insert into nectar.weekly_workout_stats (week_start_date, user_id, team_color, days_planned, completed_count,
       failed_count, pending_count, is_over, chips_earned)
     select '${WEEK}'::date - 7, c.user_id, max(c.team_color), count(*), count(*) filter (where k.status = 'verified'),
       count(*) filter (where k.status is distinct from 'verified' and k.status is distinct from 'pending'),
       count(*) filter (where k.status = 'pending'), true,
       coalesce(sum(k.battle_chips_earned) filter (where k.status = 'verified'), 0)
     from nectar.chains c
     left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
     where c.date < '${WEEK}'
     group by c.user_id`,
  );
  await client.query(
    `update nectar.workout_checkins set status = 'verified', verified_at = created_at
     where status = 'pending' and date = '${WEEK}'::date - 1`,
  );
  await client.query(
    `insert into private.game_notices (user_id, date, kind, window_starts_at)
     select c.user_id, c.date, 'checkin_reminder', c.window_starts_at from nectar.chains c
     where c.date = '${WEEK}'::date + 6`,
  );
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
}
