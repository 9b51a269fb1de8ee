import { createHash } from "node:crypto";
import { weekStart } from "@nectar/core/calendar-date";
import { matchArea, type Squad, type TeamColor } from "@nectar/core/game/matching";
import type { Tx } from "@nectar/database/database";
import type { Clock } from "@nectar/http/clock";
import { sql } from "kysely";
import { type Candidate, type MatchingInput, readMatchingInput, type Scope, type Snapshot } from "./input.ts";

/** What a run did. */
export interface Generated {
  /** Players who have a row of that date for the first time. */
  readonly chainsCreated: number;
  /** Rows that are others than before. */
  readonly chainsChanged: number;
  readonly squadsCreated: number;
  /** The people who were notified. */
  readonly notified: readonly string[];
}

/** Seconds that a run waits for others of the same week. */
const WAIT_SECONDS = 20;

/** Milliseconds before a window in which a change of neighbours is worth a message. */
const NEWS_MS = 24 * 60 * 60 * 1_000;

/**
 * Matches the players of a date: everybody, or the places around some people. What has begun stays, only what changes is
 * written, and running it again changes nothing. Runs of one week wait for each other, because they share its teams.
 * @param tx of the service
 * @throws AppError 503 when others took longer than this one waits
 */
export async function generateChains(tx: Tx, clock: Clock, scope: Scope): Promise<Generated> {
  await sql`
    select set_config('lock_timeout', ${`${scope.waitSeconds ?? WAIT_SECONDS}s`}, true),
      set_config('statement_timeout', '120s', true)
  `.execute(tx);
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`chains ${weekStart(scope.date)}`}, 0))
  `.execute(tx);
  // Read after the wait: what began meanwhile has begun.
  const now = clock.now();
  const input = await readMatchingInput(tx, scope, now);
  const changes = changesOf(input, scope.date, now);
  if (hasAny(changes)) await write(tx, scope.date, changes);
  const created = changes.players.filter(({ row }) => row === null).length;
  return {
    chainsCreated: created,
    chainsChanged: changes.players.length - created + changes.leaving.length,
    squadsCreated: changes.squads.filter(({ id }) => id === null).length,
    notified: changes.news.map(({ userId }) => userId),
  };
}

/** A row to be written. */
interface Matched {
  readonly userId: string;
  readonly snapshot: Snapshot;
  readonly row: Candidate["row"];
  readonly before: string | null;
  readonly after: string | null;
  readonly color: TeamColor;
  /** The squad, when it had its id before. */
  readonly squadId: string | null;
  /** The number of a new squad among those that are written, from 1. */
  readonly squadNumber: number | null;
}

interface Changes {
  readonly squads: readonly Squad[];
  readonly removedSquads: readonly string[];
  readonly players: readonly Matched[];
  readonly leaving: readonly string[];
  readonly news: readonly { readonly userId: string; readonly title: string; readonly body: string }[];
}

function hasAny({ squads, removedSquads, players, leaving }: Changes): boolean {
  return squads.length + removedSquads.length + players.length + leaving.length > 0;
}

function changesOf({ candidates, leaving }: MatchingInput, date: string, now: Date): Changes {
  const week = weekStart(date);
  const places = new Map<string, Candidate[]>();
  const formerSquads = new Map<string, Set<string>>();
  for (const candidate of candidates) {
    const { player, snapshot, row } = candidate;
    addTo(places, snapshot.areaKey, candidate);
    if (row?.squadId != null) join(formerSquads, row.squadId, player.userId);
  }
  for (const { userId, squadId } of leaving) {
    if (squadId !== null) join(formerSquads, squadId, userId);
  }

  const squads: Squad[] = [];
  const players: Matched[] = [];
  const news: Changes["news"][number][] = [];
  const goingOn = new Set<string>();
  for (const [place, here] of places) {
    const match = matchArea(
      here.map(({ player }) => player),
      leadingTeam(place, week),
    );
    const squadOf = new Map<string, Pick<Matched, "squadId" | "squadNumber">>();
    for (const squad of match.squads) {
      if (squad.id !== null) goingOn.add(squad.id);
      if (squad.id === null || !isMadeOf(formerSquads.get(squad.id), squad.members)) squads.push(squad);
      const membership = { squadId: squad.id, squadNumber: squad.id === null ? squads.length : null };
      for (const userId of squad.members) squadOf.set(userId, membership);
    }
    for (const { player, snapshot, row } of here) {
      const { userId } = player;
      const { before = null, after = null } = match.links.get(userId) ?? {};
      const { squadId, squadNumber } = squadOf.get(userId) ?? { squadId: null, squadNumber: null };
      const color = match.colors.get(userId) ?? "red";
      const next = { userId, snapshot, row, before, after, color, squadId, squadNumber };
      if (!isAsBefore(next)) players.push(next);
      const message = player.isSynthetic ? null : newsFor(next, date, now.getTime());
      if (message !== null) news.push({ userId, ...message });
    }
  }
  return {
    squads,
    removedSquads: [...formerSquads.keys()].filter((id) => !goingOn.has(id)),
    players,
    leaving: leaving.map(({ userId }) => userId),
    news,
  };
}

/** The team that gets the first player of a place, so that small places do not all play for the same one. */
function leadingTeam(place: string, week: string): TeamColor {
  const [first = 0] = createHash("sha256").update(`${place} ${week}`).digest();
  return first % 2 === 0 ? "red" : "blue";
}

function isAsBefore({ row, snapshot, before, after, squadId, squadNumber }: Matched): boolean {
  if (row === null || squadNumber !== null) return false;
  if (row === snapshot) return row.before === before && row.after === after && row.squadId === squadId;
  return (
    row.before === before &&
    row.after === after &&
    row.squadId === squadId &&
    row.areaKey === snapshot.areaKey &&
    row.activityType === snapshot.activityType &&
    row.customActivity === snapshot.customActivity &&
    row.timezone === snapshot.timezone &&
    row.start === snapshot.start &&
    row.end === snapshot.end &&
    row.startsAt === snapshot.startsAt &&
    row.endsAt === snapshot.endsAt &&
    row.dayEndsAt === snapshot.dayEndsAt
  );
}

/**
 * The notification for a player: when they first have neighbours, and in the last 24 hours before their window when their
 * neighbours change. Null if the window is over, or if there are no neighbours to mention.
 */
function newsFor(next: Matched, date: string, now: number): { title: string; body: string } | null {
  const { row, snapshot, before, after } = next;
  if (snapshot.endsAt <= now) return null;
  const [wasAlone, isAlone] = [row === null || isUnlinked(row), isUnlinked(next)];
  const body = `${before === null ? "Nobody" : "Somebody"} plays before you, ${after === null ? "nobody" : "somebody"} after you.`;
  if (wasAlone) return isAlone ? null : { title: `Your chain of ${date}`, body };
  if ((row?.before === before && row.after === after) || snapshot.startsAt - now > NEWS_MS) return null;
  return { title: `Your chain of ${date} has changed`, body };
}

function isUnlinked({ before, after }: Pick<Matched, "before" | "after">): boolean {
  return before === null && after === null;
}

function isMadeOf(former: ReadonlySet<string> | undefined, members: readonly string[]): boolean {
  return former?.size === members.length && members.every((userId) => former.has(userId));
}

function addTo(groups: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [candidate]);
  else group.push(candidate);
}

function join(squads: Map<string, Set<string>>, id: string, userId: string): void {
  const members = squads.get(id);
  if (members === undefined) squads.set(id, new Set([userId]));
  else members.add(userId);
}

async function write(tx: Tx, date: string, changes: Changes): Promise<void> {
  const { squads, removedSquads, players, leaving, news } = changes;
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const written = {
    squads: squads.map(({ id, members: [user_1_id, user_2_id, user_3_id], color }) => ({
      id,
      user_1_id,
      user_2_id,
      user_3_id,
      color,
    })),
    removed_squads: removedSquads,
    players: players.map(({ userId, snapshot, before, after, color, squadId, squadNumber }) => ({
      user_id: userId,
      before,
      after,
      color,
      squad_id: squadId,
      squad_number: squadNumber,
      area_key: snapshot.areaKey,
      activity: snapshot.activityType,
      custom_activity: snapshot.customActivity,
      timezone: snapshot.timezone,
      window_start: snapshot.start,
      window_end: snapshot.end,
      starts_at: time(snapshot.startsAt),
      ends_at: time(snapshot.endsAt),
      day_ends_at: time(snapshot.dayEndsAt),
    })),
    removed_players: leaving,
    notifications: news.map(({ userId, title, body }) => ({ user_id: userId, title, body })),
  };
  await sql`select private.write_chains(${date}, ${JSON.stringify(written)}::jsonb)`.execute(tx);
}
