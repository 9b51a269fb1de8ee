import type { Match, Player, TeamColor } from "@nectar/core/game/matching";
import { isPlayableDate, localDayEnd, toMinutes, type WindowInstants, windowInstants } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import type { ActivityType } from "../schema.ts";

/** The window of a date as a chain row stores it. */
export interface Snapshot {
  readonly areaKey: string;
  readonly activityType: ActivityType;
  /** Null unless the activity is `other`. */
  readonly customActivity: string | null;
  readonly timezone: string;
  /** `HH:MM`, local time. */
  readonly start: string;
  readonly end: string;
  /** In milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** The end of the local day on which the window ends. */
  readonly dayEndsAt: number;
}

/** A person to be matched. */
export interface Candidate {
  readonly player: Player;
  readonly snapshot: Snapshot;
  /** The row that they have on that date; null if there is none. */
  readonly row: (Snapshot & Match) | null;
}

/** Everyone in the areas that are matched. */
export interface MatchingInput {
  readonly candidates: readonly Candidate[];
  /** People who have a row of that date but do not play any more. */
  readonly leaving: readonly { readonly userId: string; readonly squadId: string | null }[];
}

/** What is matched. */
export interface Scope {
  /** The game date. */
  readonly date: string;
  /** Only the areas where these people play or were going to play; everyone by default. */
  readonly around?: readonly string[];
  /** How long to wait for other runs, in seconds. */
  readonly waitSeconds?: number;
}

/** Reads who plays on a date, and locks their profiles, so that no one is deleted before the result is written. */
export async function readMatchingInput(tx: Tx, { date, around }: Scope, now: Date): Promise<MatchingInput> {
  const rows = await all<InputRecord>(tx)`
    select * from private.read_matching(${date}, ${around ?? null})
  `;
  const instants = instantsOf(date);
  const candidates: Candidate[] = [];
  const leaving: { userId: string; squadId: string | null }[] = [];
  for (const record of rows) {
    const row = rowOf(record);
    // A person left before this window opened, also if it has opened by now; what is over stays as it was.
    const hasLeft = record.has_left && row !== null && row.dayEndsAt > now.getTime();
    const fixed = row !== null && ((row.startsAt <= now.getTime() && !hasLeft) || record.has_checkin);
    // People who have moved are matched by the run that has both areas in its scope; until then they stay where they were.
    const away = row !== null && record.is_area_in_scope !== true;
    if (row !== null && !record.is_row_in_scope) continue;
    const snapshot = fixed || away ? row : windowOf(record, instants);
    if (snapshot === null) {
      if (row !== null) leaving.push({ userId: record.user_id, squadId: row.squadId });
      continue;
    }
    // A new row for a day that is over could only be failed. A person may still have taken a photo in a window that is over;
    // a synthetic user may not.
    if (row === null && (record.is_ai ? snapshot.endsAt : snapshot.dayEndsAt) <= now.getTime()) continue;
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
  /** Null without a window. */
  readonly area_key: string | null;
  readonly is_area_in_scope: boolean | null;
  readonly color: TeamColor | null;
  readonly left_out: boolean;
  readonly has_checkin: boolean;
  /** Whether the person left the game before their window of the date opened; false for a synthetic user. */
  readonly has_left: boolean;
  /** The window that counts on the date; null for none. */
  readonly activity: ActivityType | null;
  readonly custom_activity: string | null;
  readonly timezone: string | null;
  readonly window_start: string | null;
  readonly window_end: string | null;
  /** The row of the date; null for none. */
  readonly row_area_key: string | null;
  readonly is_row_in_scope: boolean | null;
  readonly row_before: string | null;
  readonly row_after: string | null;
  readonly row_squad: string | null;
  readonly row_activity: ActivityType | null;
  readonly row_custom_activity: string | null;
  readonly row_timezone: string | null;
  readonly row_start: string | null;
  readonly row_end: string | null;
  readonly row_starts_at: string | null;
  readonly row_ends_at: string | null;
  readonly row_day_ends_at: string | null;
}

function rowOf(record: InputRecord): Candidate["row"] {
  const { row_area_key, row_activity, row_timezone, row_start, row_end } = record;
  const { row_starts_at, row_ends_at, row_day_ends_at } = record;
  if (row_area_key === null || row_activity === null || row_timezone === null || row_start === null) return null;
  if (row_end === null || row_starts_at === null || row_ends_at === null || row_day_ends_at === null) return null;
  return {
    areaKey: row_area_key,
    activityType: row_activity,
    customActivity: record.row_custom_activity,
    timezone: row_timezone,
    start: toMinutes(row_start),
    end: toMinutes(row_end),
    startsAt: Date.parse(row_starts_at),
    endsAt: Date.parse(row_ends_at),
    dayEndsAt: Date.parse(row_day_ends_at),
    before: record.row_before,
    after: record.row_after,
    squadId: record.row_squad,
  };
}

function windowOf(record: InputRecord, instants: ReturnType<typeof instantsOf>): Snapshot | null {
  const { area_key: areaKey, activity, timezone, window_start: start, window_end: end } = record;
  if (areaKey === null || activity === null || timezone === null || start === null || end === null) return null;
  const window = instants(timezone, toMinutes(start), toMinutes(end));
  if (window === null) return null;
  return {
    areaKey,
    activityType: activity,
    customActivity: record.custom_activity,
    timezone,
    start: toMinutes(start),
    end: toMinutes(end),
    startsAt: window.startsAt.getTime(),
    endsAt: window.endsAt.getTime(),
    dayEndsAt: window.dayEndsAt.getTime(),
  };
}

interface DayInstants extends WindowInstants {
  readonly dayEndsAt: Date;
}

/** Computes the instants of each window once: a hundred thousand people have a few thousand windows. */
function instantsOf(date: string): (timezone: string, start: string, end: string) => DayInstants | null {
  const known = new Map<string, DayInstants | null>();
  return (timezone, start, end) => {
    const key = `${timezone} ${start}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const times = { timezone, start, end };
    const computed = isPlayableDate(times, date)
      ? { ...windowInstants(times, date), dayEndsAt: localDayEnd(date, times) }
      : null;
    known.set(key, computed);
    return computed;
  };
}
