import { randomUUID } from "node:crypto";
import type { TestApi } from "#tests/api";
import { asSuperuser, type Person } from "#tests/people";

/** A player's day as a test sets it up, without matching and without a photo. */
export interface PlayedDay {
  readonly person: Pick<Person, "id">;
  /** Game date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly team: "red" | "blue";
  /** The start of the window, RFC 3339; noon in UTC by default. */
  readonly startsAt?: string;
  readonly timezone?: string;
  readonly after?: Pick<Person, "id">;
  /** The status of the check-in; none by default. */
  readonly status?: "pending" | "verified" | "rejected";
  readonly chips?: Chips;
}

/** 1, plus 1 for the chain, plus 2 for a streak. */
export type Chips = 1 | 2 | 3 | 4;

/** Writes a player's chain row of a date, their color of the week, and their check-in if there is one. */
export async function playDay(api: TestApi, day: PlayedDay): Promise<void> {
  const { person, date, team, startsAt = `${date}T12:00:00Z`, timezone = "UTC", after, status, chips = 1 } = day;
  await asSuperuser(api.adminUrl, async (client) => {
    await client.query(
      `insert into nectar.chains (
         date, user_id, after_user_id, team_color, area_key, activity_type, timezone, window_start_time,
         window_end_time, window_starts_at, window_ends_at, day_ends_at
       )
       select $1, $2, $3, $4, 'city:test', 'walk', $5, (w.at at time zone $5)::time,
         ((w.at + interval '2 hours') at time zone $5)::time, w.at, w.at + interval '2 hours',
         (((w.at + interval '2 hours') at time zone $5)::date + 1)::timestamp at time zone $5
       from (select $6::timestamptz as at) w`,
      [date, person.id, after?.id ?? null, team, timezone, startsAt],
    );
    await client.query(
      `insert into nectar.team_colors (user_id, week_start_date, color)
       values ($1, date_trunc('week', $2::date::timestamp)::date, $3) on conflict do nothing`,
      [person.id, date, team],
    );
    if (status !== undefined) await writeCheckIn(client, { person, date, team, status, chips });
  });
}

/** Writes a check-in the way the game does: a verified one joins the battle first, in the same transaction. */
export async function checkIn(
  api: TestApi,
  checkin: Pick<PlayedDay, "person" | "date" | "team" | "status" | "chips">,
): Promise<void> {
  await asSuperuser(api.adminUrl, (client) =>
    writeCheckIn(client, { status: "verified", chips: 1, ...checkin, person: checkin.person }),
  );
}

interface WrittenCheckIn {
  readonly person: Pick<Person, "id">;
  readonly date: string;
  readonly team: string;
  readonly status: string;
  readonly chips: Chips;
}

type Client = Parameters<Parameters<typeof asSuperuser>[1]>[0];

async function writeCheckIn(client: Client, { person, date, team, status, chips }: WrittenCheckIn): Promise<void> {
  const week = `case when $4 = 'verified' then private.join_battle($2)
    else date_trunc('week', $2::date::timestamp)::date end`;
  await client.query(
    `insert into nectar.workout_checkins (
       user_id, date, activity_type, status, chain_status, has_streak, team_color, battle_week_start, verified_at
     )
     select $1, $2, 'walk', $4::nectar.checkin_status,
       case when $5::integer in (2, 4) then 'continued' else 'broken' end::nectar.chain_status, $5 >= 3, $3, w.week, case when $4 = 'verified' then now() end
     from (select ${week} as week offset 0) w`,
    [person.id, date, team, status, chips],
  );
}

/** Writes many players of a date at once: no accounts, no badges, only what the game reads. */
export async function crowd(api: Pick<TestApi, "adminUrl">, people: number, date: string): Promise<void> {
  const tag = randomUUID();
  await asSuperuser(api.adminUrl, async (client) => {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(
      `insert into nectar.profiles (id, full_name)
       select md5($1::text || n)::uuid, 'Player ' || n from generate_series(1, $2::integer) n`,
      [tag, people],
    );
    await client.query(
      `insert into nectar.chains (
         date, user_id, team_color, area_key, activity_type, timezone, window_start_time, window_end_time,
         window_starts_at, window_ends_at, day_ends_at
       )
       select $3, md5($1::text || n)::uuid, (array['red', 'blue'])[1 + n % 2]::nectar.team_color, 'city:' || n % 1000,
         'walk', 'UTC', '12:00', '14:00', $3::date + interval '12 hours', $3::date + interval '14 hours',
         $3::date + interval '24 hours'
       from generate_series(1, $2::integer) n`,
      [tag, people, date],
    );
    await client.query(
      "insert into private.open_days select day_ends_at, user_id, id from nectar.chains where date = $1 on conflict do nothing",
      [date],
    );
    await client.query(
      `insert into nectar.team_colors (user_id, week_start_date, color)
       select c.user_id, date_trunc('week', c.date::timestamp)::date, c.team_color from nectar.chains c where c.date = $1
       on conflict do nothing`,
      [date],
    );
    await client.query("commit");
    await client.query("analyze nectar.profiles, nectar.chains, nectar.team_colors");
  });
}
