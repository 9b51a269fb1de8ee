import type pg from "pg";

/** A date of the game. */
export interface GameDay {
  readonly date: string;
  /** When all windows start, in UTC. */
  readonly start: string;
}

/**
 * Lets everyone in a table `people` (id, and n from 1) of the session play on a date: in one circle, and in squads of three.
 * Expects that triggers are off.
 */
export async function fillGame(client: pg.Client, { date, start }: GameDay): Promise<void> {
  await client.query(
    `insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select id, 'walk', $1::time, $1::time + interval '2 hours', 'UTC', '2026-01-01' from people`,
    [start],
  );
  await client.query(
    `insert into nectar.user_locations (user_id, city, country, latitude, longitude)
     select id, 'Zurich', 'CH', 47.4, 8.5 from people`,
  );
  await client.query(
    `create temp table players as
     select p.id, p.n, (p.n - 1) / 3 as squad,
       coalesce(lag(id) over numbers, last_value(id) over everyone) as before_id,
       coalesce(lead(id) over numbers, first_value(id) over everyone) as after_id,
       case when (p.n - 1) / 3 % 2 = 0 then 'red' else 'blue' end::nectar.team_color as color
     from people p
     window numbers as (order by n), everyone as (order by n rows between unbounded preceding and unbounded following)`,
  );
  await client.query(
    `create temp table squads as
     select squad, gen_random_uuid() as id, array_agg(id order by n) as members, min(color) as color
     from players group by squad having count(*) = 3`,
  );
  await client.query(
    `insert into nectar.squads (id, date, user_1_id, user_2_id, user_3_id, team_color)
     select id, $1::date, members[1], members[2], members[3], color from squads`,
    [date],
  );
  await client.query(
    `insert into nectar.chains
       (date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type, timezone,
        window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select $1::date, p.id, p.before_id, p.after_id, p.color, s.id, 'bench', 'walk', 'UTC',
       $2::time, $2::time + interval '2 hours', w.starts_at, w.starts_at + interval '2 hours',
       date_trunc('day', w.starts_at + interval '2 hours') + interval '1 day'
     from players p
     left join squads s on s.squad = p.squad
     cross join (select ($1::date + $2::time) at time zone 'UTC' as starts_at) w`,
    [date, start],
  );
  await client.query(
    "insert into private.open_days (day_ends_at, user_id, chain_id) select day_ends_at, user_id, id from nectar.chains",
  );
}

/** Lets everyone who plays on the only date of the game have played on the days before it as well. */
export async function fillDaysBefore(client: pg.Client, days: number): Promise<void> {
  await client.query(
    `insert into nectar.chains
       (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type, timezone, window_start_time,
        window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select c.date - n, c.user_id, c.before_user_id, c.after_user_id, c.team_color, c.area_key, c.activity_type, c.timezone,
       c.window_start_time, c.window_end_time, c.window_starts_at - n * interval '1 day',
       c.window_ends_at - n * interval '1 day', c.day_ends_at - n * interval '1 day'
     from nectar.chains c
     cross join generate_series(1, $1::int) n`,
    [days],
  );
}

/** Lets three of four players check in on each date up to one. */
export async function fillCheckIns(client: pg.Client, lastDate: string): Promise<void> {
  await client.query(
    `with written as (
       insert into nectar.workout_checkins
         (user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, team_color, battle_week_start,
          created_at, verified_at)
       select c.user_id, c.id, c.date, 'walk', c.window_starts_at, 'verified', 'continued', c.team_color,
         private.week_start(c.date), c.window_starts_at + make_interval(secs => p.n), c.window_ends_at
       from nectar.chains c
       join players p on p.id = c.user_id
       where c.date <= $1 and p.n % 4 <> 3
       returning id, user_id
     )
     insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
     select id, user_id, gen_random_uuid(), ('x' || substr(md5(id::text), 1, 16))::bit(64), 47.4, 8.5
     from written`,
    [lastDate],
  );
}
