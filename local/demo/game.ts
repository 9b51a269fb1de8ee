import type pg from "pg";
import { drawnCheckIn, SYNTHETIC_DEFAULTS } from "#core/game/synthetic";
import { drawSyntheticPeople } from "#core/game/synthetic-people";
import { DEFAULT_GRACE_MINUTES, isEarly } from "#core/game/time";
import { weekdayOf } from "#core/time/calendar-date";
import { type FlaggedCheckIn, game, personNamed } from "./data.ts";
import { date, idOf, type Past } from "./past.ts";
import { insertRows, stableId } from "./rows.ts";

/** Share of days on which the people of the demo data check in. */
const HUMAN_PROBABILITY = 0.8;

/** All have played for a while. */
const EFFECTIVE_FROM = "2026-01-01";

/** Writes the players' locations and windows, and the synthetic users. */
export async function writeGame(past: Past): Promise<void> {
  const { client } = past;
  const players = Object.entries(game.players);
  await insertRows(client, "nectar.user_locations", players, ([person, { location }]) => ({
    user_id: idOf(past, person),
    ...game.locations[location],
  }));
  await insertRows(
    client,
    "nectar.workout_windows",
    players,
    ([person, { location, activity, start, end, restsDaysAgo, pause }]) => ({
      user_id: idOf(past, person),
      activity_type: activity,
      window_start_time: start,
      window_end_time: end,
      timezone: game.locations[location]?.timezone,
      effective_from: EFFECTIVE_FROM,
      rest_days:
        restsDaysAgo === undefined ? [] : [{ from: EFFECTIVE_FROM, weekdays: [weekdayOf(date(past, restsDaysAgo))] }],
      away: pause === undefined ? "{}" : `{[${date(past, -pause.inDays)},${date(past, -pause.inDays - pause.days)})}`,
    }),
  );
  const { count, regions, seed } = game.synthetic;
  const drawn = drawSyntheticPeople(count, { ...SYNTHETIC_DEFAULTS, regions }, seed).map((person) => ({
    ...person,
    id: stableId(`synthetic ${person.full_name}`),
    effective_from: EFFECTIVE_FROM,
  }));
  await client.query("select count(*) from private.insert_synthetic_users($1::jsonb, $2)", [
    JSON.stringify(drawn),
    seed,
  ]);
  // The past days are matched one by one by the job that plays them, and no day before.
  await client.query("delete from private.players_to_match");
}

interface PlayedDay {
  user_id: string;
  activity_type: string;
  full_name: string;
  window_starts_at: Date;
  window_ends_at: Date;
}

/**
 * Writes check-ins of people on a date that has chains: on most days, at a moment drawn from their name and the date.
 * Existing check-ins stay as they are.
 * @param date `YYYY-MM-DD`
 * @param now later moments are left out
 * @param flagged check-ins of that date that are always written, as pending
 */
export async function writeHumanCheckIns(
  client: pg.Client,
  date: string,
  now: Date,
  flagged: readonly FlaggedCheckIn[],
): Promise<void> {
  const pending = new Set<string>(flagged.map(({ person }) => personNamed(person).fullName));
  const { rows } = await client.query<PlayedDay>(
    `select c.user_id, c.activity_type, p.full_name, c.window_starts_at, c.window_ends_at
     from nectar.chains c
     join nectar.profiles p on p.id = c.user_id and not p.is_ai
     where c.date = $1
     order by c.window_starts_at`,
    [date],
  );
  const checkIns = rows.flatMap(({ user_id, activity_type, full_name, window_starts_at, window_ends_at }) => {
    const window = { startsAt: window_starts_at, endsAt: window_ends_at };
    const isPending = pending.has(full_name);
    const probability = isPending ? 1 : HUMAN_PROBABILITY;
    const moment = drawnCheckIn({ userId: full_name, date, probability, ...window });
    if (moment === null || moment > now) return [];
    return {
      user_id,
      date,
      activity_type,
      photo_timestamp: moment,
      status: isPending ? "pending" : "verified",
      is_early: isEarly(window, moment, DEFAULT_GRACE_MINUTES),
      checked_in_at: moment,
    };
  });
  const { rows: recorded } = await client.query<{ checkin_ids: string[] }>(
    "select checkin_ids from private.record_check_ins($1::jsonb, $2, $3)",
    [JSON.stringify(checkIns), now, DEFAULT_GRACE_MINUTES],
  );
  await client.query("update nectar.workout_checkins set created_at = photo_timestamp where id = any ($1)", [
    recorded[0]?.checkin_ids,
  ]);
}

/** A check-in that waits for a review. */
export interface PendingCheckIn {
  id: string;
  userId: string;
  /** The profile of the demo data's admin. */
  adminId: string;
}

/** Finds the pending check-in of a person of the demo data, or null. */
export async function readPendingCheckIn(
  client: pg.Client,
  { person }: FlaggedCheckIn,
  date: string,
): Promise<PendingCheckIn | null> {
  const { rows } = await client.query<PendingCheckIn>(
    `select k.id, k.user_id as "userId", admin.user_id as "adminId"
     from nectar.workout_checkins k
     join nectar.accounts a on a.user_id = k.user_id and a.email = $1
     join nectar.accounts admin on admin.email = $2
     where k.date = $3 and k.status = 'pending'`,
    [personNamed(person).email, personNamed("admin").email, date],
  );
  return rows[0] ?? null;
}

/** Gives a pending check-in its photo, unless it has one. @param perceptualHash 64 characters of 0 and 1 */
export async function writeCheckInPhoto(
  client: pg.Client,
  { id, userId }: PendingCheckIn,
  { fileId, perceptualHash, flag }: { fileId: string; perceptualHash: string; flag: FlaggedCheckIn["flag"] },
): Promise<void> {
  await client.query(
    `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, flags)
     values ($1, $2, $3, $4::bit(64), array[$5])
     on conflict (checkin_id) do nothing`,
    [id, userId, fileId, perceptualHash, flag],
  );
}

/** Lets the owner of a rejected check-in appeal after an hour. */
export async function writeRejectionAppeal(client: pg.Client, { id }: PendingCheckIn, reason: string): Promise<void> {
  await client.query(
    `insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
     select d.id, d.owner_id, $2, d.decided_at + interval '1 hour' from nectar.moderation_decisions d
     where d.target_id = $1 and d.decision = 'reject'`,
    [id, reason],
  );
}

/** Backdates check-ins and battles, and deletes the notifications of old games. */
export async function backdateGame(client: pg.Client): Promise<void> {
  await client.query(
    "update nectar.workout_checkins set created_at = verified_at where verified_at < now() and reviewed_at is null",
  );
  await client.query("update nectar.battles set created_at = week_start_date where week_start_date < now()");
  await client.query(
    `delete from nectar.notifications
     where type in ('baton_pass', 'chain_broken', 'chain_restored', 'chain_update', 'battle_update', 'battle_progress',
       'battle_results', 'weekly_stats')`,
  );
  await client.query(
    `update nectar.notifications n set created_at = k.reviewed_at
     from nectar.workout_checkins k
     where n.type = 'checkin_reviewed' and n.data ->> 'checkin_id' = k.id::text`,
  );
}
