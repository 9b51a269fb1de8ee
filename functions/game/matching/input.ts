import type { Match, Player, TeamColor } from "#core/game/matching";
import { isPlayableDate, localDayEnd, toMinutes, type WindowTimes, windowInstants } from "#core/game/time";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import type { ActivityType } from "../schema.ts";

/** The window of a player on a date, in the names that `read_matching` and `write_chains` use. */
interface PlayWindow {
  readonly activity: ActivityType;
  /** Null unless the activity is `other`. */
  readonly custom_activity: string | null;
  readonly timezone: string;
  /** `HH:MM:SS`, local time. */
  readonly window_start: string;
  readonly window_end: string;
}

/** The window of a date as a chain row stores it. */
export interface Snapshot extends PlayWindow {
  readonly area_key: string;
  /** Milliseconds since 1970. */
  readonly starts_at: number;
  readonly ends_at: number;
  /** The end of the local day on which the window ends. */
  readonly day_ends_at: number;
}

export interface Candidate {
  readonly player: Player;
  readonly snapshot: Snapshot;
  /** The row that they have on that date; null if there is none. */
  readonly row: (Snapshot & Match) | null;
  /** Their match on the last date before it; null if there is none. */
  readonly former: FormerMatch | null;
}

interface FormerMatch extends Pick<Match, "before" | "after"> {
  /** The squad, themselves included; empty without one. */
  readonly members: readonly string[];
}

/** Everyone in the areas that are matched. */
export interface MatchingInput {
  readonly candidates: readonly Candidate[];
  /** People who have a row of that date but do not play any more. */
  readonly leaving: readonly { readonly userId: string; readonly squadId: string | null }[];
}

export interface Scope {
  readonly date: string;
  /** Only the areas where these people play or were going to play; everyone by default. */
  readonly around?: readonly string[];
  /** How long to wait for other runs, in seconds. */
  readonly waitSeconds?: number;
}

const NO_BLOCKS: ReadonlySet<string> = new Set();

/** Reads who plays on a date, and locks their profiles, so that no one is deleted before the result is written. */
export async function readMatchingInput(tx: Tx, { date, around }: Scope, now: Date): Promise<MatchingInput> {
  const rows = await all<InputRecord>(tx)`
    select * from private.read_matching(${date}, ${around ?? null})
  `;
  const instants = instantsOf(date);
  const candidates: Candidate[] = [];
  const leaving: { userId: string; squadId: string | null }[] = [];
  for (const { chain: row, former, ...record } of rows) {
    // A person left before this window opened, also if it has opened by now; what is over stays as it was.
    const hasLeft = record.has_left && row !== null && row.day_ends_at > now.getTime();
    const fixed = row !== null && ((row.starts_at <= now.getTime() && !hasLeft) || record.has_checkin);
    // People who have moved are matched by the run that has both areas in its scope; until then they stay where they were.
    const away = row !== null && record.is_area_in_scope !== true;
    if (row !== null && !record.is_chain_in_scope) continue;
    const snapshot = fixed || away ? row : windowOf(record, instants);
    if (snapshot === null) {
      if (row !== null) leaving.push({ userId: record.user_id, squadId: row.squadId });
      continue;
    }
    // A new row for a day that is over could only be failed. A person may still have taken a photo in a window that is over;
    // a synthetic user may not.
    if (row === null && (record.is_ai ? snapshot.ends_at : snapshot.day_ends_at) <= now.getTime()) continue;
    const player: Player = {
      userId: record.user_id,
      isSynthetic: record.is_ai,
      startsAt: snapshot.starts_at,
      endsAt: snapshot.ends_at,
      color: record.color,
      leftOut: record.left_out,
      matched: row,
      fixed,
      blocked: record.blocked === null ? NO_BLOCKS : new Set(record.blocked),
    };
    candidates.push({ player, snapshot, row, former });
  }
  return { candidates, leaving };
}

interface InputRecord {
  readonly user_id: string;
  readonly is_ai: boolean;
  /** Null if the person has no window. */
  readonly area_key: string | null;
  readonly is_area_in_scope: boolean | null;
  readonly color: TeamColor | null;
  readonly left_out: boolean;
  readonly has_checkin: boolean;
  /** Whether the person left the game before their window of the date opened; false for a synthetic user. */
  readonly has_left: boolean;
  /** The window that counts on the date; null for none. */
  readonly play_window: PlayWindow | null;
  /** The row of the date; null for none. */
  readonly chain: Candidate["row"];
  readonly former: Candidate["former"];
  readonly is_chain_in_scope: boolean | null;
  /** The people that they blocked; null for none. */
  readonly blocked: readonly string[] | null;
}

type Instants = Pick<Snapshot, "starts_at" | "ends_at" | "day_ends_at">;

function windowOf(
  { area_key, play_window }: Pick<InputRecord, "area_key" | "play_window">,
  instants: ReturnType<typeof instantsOf>,
): Snapshot | null {
  const times = play_window === null ? null : instants(play_window);
  return area_key === null || play_window === null || times === null ? null : { area_key, ...play_window, ...times };
}

/** Computes the instants of each window once: a hundred thousand people have a few thousand windows. */
function instantsOf(date: string): (window: PlayWindow) => Instants | null {
  const known = new Map<string, Instants | null>();
  return ({ timezone, window_start, window_end }) => {
    const key = `${timezone} ${window_start}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = computeInstants({ timezone, start: toMinutes(window_start), end: toMinutes(window_end) }, date);
    known.set(key, computed);
    return computed;
  };
}

function computeInstants(times: WindowTimes, date: string): Instants | null {
  if (!isPlayableDate(times, date)) return null;
  const { startsAt, endsAt } = windowInstants(times, date);
  return {
    starts_at: startsAt.getTime(),
    ends_at: endsAt.getTime(),
    day_ends_at: localDayEnd(date, times).getTime(),
  };
}
