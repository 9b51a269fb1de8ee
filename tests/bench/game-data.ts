import type pg from "pg";

/** Dates of the game on which everyone plays. */
export interface GameDays {
  /** The last date, which is the open one. */
  readonly date: string;
  /** When all windows start where the players live. */
  readonly start: string;
  /** The time zone that all players live in; default: UTC. */
  readonly timezone?: string;
  /** Dates before it, whose days have ended. */
  readonly daysBefore?: number;
  /** The last date of check-ins; default: the last date. */
  readonly checkedInUntil?: string;
}

/**
 * Lets everyone in the table `people` play: in one circle, on the last date in squads of three. On 70 % of the dates they
 * checked in, on 5 % each the check-in waits for review or was rejected, on the others there is none.
 */
export async function fillGame(
  client: pg.ClientBase,
  { date, start, timezone = "UTC", daysBefore = 0, checkedInUntil = date }: GameDays,
): Promise<void> {
  const window = `'${start}'::time, '${start}'::time + interval '2 hours'`;
  await client.query(
    `insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select id, 'walk', ${window}, '${timezone}', '2026-01-01' from people;
     insert into nectar.user_locations (user_id, city, country, latitude, longitude)
     select id, 'Zurich', 'CH', 47.4, 8.5 from people;
     create temp table players as
     select p.id, p.n, (p.n - 1) / 3 as squad,
       coalesce(lag(id) over numbers, last_value(id) over everyone) as before_id,
       coalesce(lead(id) over numbers, first_value(id) over everyone) as after_id,
       case when (p.n - 1) / 3 % 2 = 0 then 'red' else 'blue' end::nectar.team_color as color
     from people p
     window numbers as (order by n), everyone as (order by n rows between unbounded preceding and unbounded following);
     create temp table squads as
     select squad, gen_random_uuid() as id, array_agg(id order by n) as members, min(color) as color
     from players group by squad having count(*) = 3;
     insert into nectar.squads (id, date, user_1_id, user_2_id, user_3_id, team_color)
     select id, '${date}', members[1], members[2], members[3], color from squads;
     insert into nectar.chains
       (date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type, timezone,
        window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select d.date, p.id, p.before_id, p.after_id, p.color, case when d.ago = 0 then s.id end, 'bench', 'walk',
       '${timezone}', ${window}, d.starts_at, d.starts_at + interval '2 hours',
       date_trunc('day', d.starts_at + interval '2 hours', '${timezone}') + interval '1 day'
     from players p
     left join squads s on s.squad = p.squad
     cross join (
       select ago, '${date}'::date - ago as date,
         ('${date}'::date - ago + '${start}'::time) at time zone '${timezone}' as starts_at
       from generate_series(0, ${daysBefore}) ago
     ) d;
     insert into private.open_days (day_ends_at, user_id, chain_id)
     select day_ends_at, user_id, id from nectar.chains where date = '${date}';
     with written as (
       insert into nectar.workout_checkins
         (user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, team_color, battle_week_start,
          created_at, verified_at)
       select c.user_id, c.id, c.date, 'walk', c.window_starts_at,
         case when l.luck < 70 then 'verified' when l.luck < 75 then 'pending' else 'rejected' end::nectar.checkin_status,
         'continued', c.team_color, private.week_start(c.date), c.window_starts_at + make_interval(secs => p.n % 7200),
         case when l.luck < 70 then c.window_ends_at end
       from nectar.chains c
       join players p on p.id = c.user_id
       cross join lateral (select (p.n * 7919::bigint + (c.date - '2026-01-01') * 31) % 100 as luck) l
       where c.date <= '${checkedInUntil}' and l.luck < 80
       returning id, user_id
     )
     insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
     select id, user_id, gen_random_uuid(), ('x' || substr(md5(id::text), 1, 16))::bit(64), 47.4, 8.5
     from written`,
  );
}
