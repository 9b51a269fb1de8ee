import type { Match, Player, TeamColor } from "@nectar/core/game/matching";
import { isPlayableDate, type WindowInstants, weekStart, windowInstants } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";
import type { ActivityType } from "./schema.ts";

/** The window of a date as a chain row keeps it. */
export interface Snapshot {
  readonly placeKey: string;
  readonly activityType: ActivityType;
  readonly timezone: string;
  /** `HH:MM` by the clock on the wall. */
  readonly start: string;
  readonly end: string;
  /** In milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Somebody to be matched. */
export interface Candidate {
  readonly player: Player;
  readonly snapshot: Snapshot;
  /** The row that they have on that date. */
  readonly row: (Snapshot & Match) | null;
}

/** Everybody of the places that are matched. */
export interface MatchingInput {
  readonly candidates: readonly Candidate[];
  /** Who has a row of that date but does not play any more. */
  readonly leaving: readonly { readonly userId: string; readonly squadId: string | null }[];
}

/** What is matched. */
export interface Scope {
  /** The game date. */
  readonly date: string;
  readonly now: Date;
  /** Only the places where these people play, or were to play; everybody unless given. */
  readonly around?: readonly string[];
}

/**
 * Reads who plays on a date. Their accounts stay until the transaction ends, so that whoever is matched is still there when
 * it is written down.
 */
export async function readMatchingInput(tx: Tx, { date, now, around }: Scope): Promise<MatchingInput> {
  const { rows } = await (around === undefined ? everybody(date) : peopleAround(date, around)).execute(tx);
  const instants = instantsOf(date);
  const candidates: Candidate[] = [];
  const leaving: { userId: string; squadId: string | null }[] = [];
  for (const record of rows) {
    const row = rowOf(record);
    const fixed = row !== null && (row.startsAt <= now.getTime() || record.has_checkin);
    // Who has moved is matched by the run that has both places in its scope; until then they are where they were.
    const away = row !== null && record.home_in_scope !== true;
    if (row !== null && !record.row_in_scope) continue;
    const snapshot = fixed || away ? row : windowOf(record, instants);
    if (snapshot === null) {
      if (row !== null) leaving.push({ userId: record.user_id, squadId: row.squadId });
      continue;
    }
    const player: Player = {
      userId: record.user_id,
      isSynthetic: record.is_ai,
      startsAt: snapshot.startsAt,
      endsAt: snapshot.endsAt,
      color: record.color,
      leftOut: record.left_out,
      matched: row,
      fixed,
    };
    candidates.push({ player, snapshot, row });
  }
  return { candidates, leaving };
}

interface InputRecord {
  readonly user_id: string;
  readonly is_ai: boolean;
  /** Null for somebody without a window. */
  readonly home: string | null;
  readonly home_in_scope: boolean | null;
  readonly color: TeamColor | null;
  readonly left_out: boolean;
  readonly has_checkin: boolean;
  /** The window that counts on the date; null for none. */
  readonly activity: ActivityType | null;
  readonly timezone: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** The row of the date; null for none. */
  readonly row_place: string | null;
  readonly row_in_scope: boolean | null;
  readonly row_before: string | null;
  readonly row_after: string | null;
  readonly row_squad: string | null;
  readonly row_activity: ActivityType | null;
  readonly row_timezone: string | null;
  readonly row_start: string | null;
  readonly row_end: string | null;
  readonly row_starts_at: string | null;
  readonly row_ends_at: string | null;
}

function everybody(date: string) {
  return sql<InputRecord>`
    with players as (
      select w.user_id from nectar.workout_windows w where w.is_active
      union
      select c.user_id from nectar.chains c where c.date = ${date}
    )
    ${inputOf(date, sql`true`, sql`true`)}
  `;
}

function peopleAround(date: string, userIds: readonly string[]) {
  return sql<InputRecord>`
    with places as (
      select h.place_key from private.player_places h where h.user_id = any (${userIds}::uuid[])
      union
      select c.place_key from nectar.chains c where c.date = ${date} and c.user_id = any (${userIds}::uuid[])
    ), players as (
      select h.user_id from private.player_places h where h.place_key in (select place_key from places)
      union
      select c.user_id from nectar.chains c
      where c.date = ${date} and c.place_key = any (array(select place_key from places))
    )
    ${inputOf(date, inScope(sql`h.place_key`), inScope(sql`c.place_key`))}
  `;
}

function inScope(place: ReturnType<typeof sql>) {
  return sql`${place} in (select place_key from places)`;
}

function inputOf(date: string, homeInScope: ReturnType<typeof sql>, rowInScope: ReturnType<typeof sql>) {
  return sql`
    select p.id as user_id, p.is_ai, h.place_key as home, ${homeInScope} as home_in_scope, t.color,
      y.id is not null and y.squad_id is null as left_out, k.id is not null as has_checkin,
      e.activity, e.timezone, e."start", e."end",
      c.place_key as row_place, ${rowInScope} as row_in_scope, c.before_user_id as row_before,
      c.after_user_id as row_after, c.squad_id as row_squad, c.activity_type as row_activity, c.timezone as row_timezone,
      c.window_start_time as row_start, c.window_end_time as row_end, c.window_starts_at as row_starts_at,
      c.window_ends_at as row_ends_at
    from players
    join nectar.profiles p on p.id = players.user_id
    left join private.player_places h on h.user_id = p.id
    left join nectar.workout_windows w on w.user_id = p.id
    left join nectar.user_locations l on l.user_id = p.id
    left join lateral (
      select w.activity_type as activity, w.timezone, w.window_start_time as "start", w.window_end_time as "end"
      where w.effective_from <= ${date}::date
      union all
      select w.previous_activity_type, w.previous_timezone, w.previous_window_start_time, w.previous_window_end_time
      where w.effective_from > ${date}::date and w.previous_timezone is not null
    ) e on w.is_active and (not p.is_ai or l.latitude is not null)
    left join nectar.chains c on c.date = ${date}::date and c.user_id = p.id
    left join nectar.chains y on y.date = ${date}::date - 1 and y.user_id = p.id
    left join nectar.team_colors t on t.week_start_date = ${weekStart(date)}::date and t.user_id = p.id
    left join nectar.workout_checkins k on k.date = ${date}::date and k.user_id = p.id
    for key share of p
  `;
}

function rowOf(record: InputRecord): Candidate["row"] {
  const { row_place, row_activity, row_timezone, row_start, row_end, row_starts_at, row_ends_at } = record;
  if (row_place === null || row_activity === null || row_timezone === null || row_start === null) return null;
  if (row_end === null || row_starts_at === null || row_ends_at === null) return null;
  return {
    placeKey: row_place,
    activityType: row_activity,
    timezone: row_timezone,
    start: minutes(row_start),
    end: minutes(row_end),
    startsAt: Date.parse(row_starts_at),
    endsAt: Date.parse(row_ends_at),
    before: record.row_before,
    after: record.row_after,
    squadId: record.row_squad,
  };
}

function windowOf(record: InputRecord, instants: ReturnType<typeof instantsOf>): Snapshot | null {
  const { home, activity, timezone, start, end } = record;
  if (home === null || activity === null || timezone === null || start === null || end === null) return null;
  const window = instants(timezone, minutes(start), minutes(end));
  if (window === null) return null;
  return {
    placeKey: home,
    activityType: activity,
    timezone,
    start: minutes(start),
    end: minutes(end),
    startsAt: window.startsAt.getTime(),
    endsAt: window.endsAt.getTime(),
  };
}

/** Works out the instants of each window once: a hundred thousand people have a few thousand windows. */
function instantsOf(date: string): (timezone: string, start: string, end: string) => WindowInstants | null {
  const known = new Map<string, WindowInstants | null>();
  return (timezone, start, end) => {
    const key = `${timezone} ${start}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const times = { timezone, start, end };
    const worked = isPlayableDate(times, date) ? windowInstants(times, date) : null;
    known.set(key, worked);
    return worked;
  };
}

/** `06:00:00` as `06:00`. */
function minutes(time: string): string {
  return time.slice(0, 5);
}
