import { createHash } from "node:crypto";
import { sql } from "kysely";
import { matchArea, type Squad, type TeamColor } from "#core/game/matching";
import type { NotificationData } from "#core/people/notification-texts";
import { weekStart } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { Clock } from "#http/services/clock";
import { type Candidate, type MatchingInput, readMatchingInput, type Scope } from "./input.ts";

export interface Generated {
  /** Players who got their first row of the date. */
  readonly chainsCreated: number;
  /** Rows that were changed or deleted. */
  readonly chainsChanged: number;
  readonly squadsCreated: number;
}

/** Seconds that a run waits for others of the same week. */
const DEFAULT_WAIT_SECONDS = 20;

/** Milliseconds before a window in which a change of neighbors is worth a notification. */
const NOTIFY_MS = 24 * 60 * 60 * 1_000;

/**
 * Matches the players of a date: everyone, or those in the areas around some people. Windows that have opened stay as they
 * are, only changes are written, and running it again changes nothing. Runs of one week take turns, because they share its
 * teams.
 * @param tx of the service
 * @throws AppError 503 if other runs took longer than this one waits
 */
export async function generateChains(tx: Tx, clock: Clock, scope: Scope): Promise<Generated> {
  await sql`
    select set_config('lock_timeout', ${`${scope.waitSeconds ?? DEFAULT_WAIT_SECONDS}s`}, true),
      set_config('statement_timeout', '120s', true)
  `.execute(tx);
  await sql`select pg_advisory_xact_lock(private.matching_lock(${scope.date}::date))`.execute(tx);
  // After the lock, so that windows that opened while this waited count as opened.
  const now = clock.now();
  const input = await readMatchingInput(tx, scope, now);
  const changes = changesOf(input, scope.date, now);
  if (hasAny(changes)) await write(tx, scope.date, changes);
  const created = changes.players.filter(({ row }) => row === null).length;
  return {
    chainsCreated: created,
    chainsChanged: changes.players.length - created + changes.leaving.length,
    squadsCreated: changes.squads.filter(({ id }) => id === null).length,
  };
}

type ChainUpdate = NotificationData["chain_update"];

/** A row to be written. */
interface Matched extends Candidate {
  readonly before: string | null;
  readonly after: string | null;
  readonly color: TeamColor;
  /** The squad, if it exists already. */
  readonly squadId: string | null;
  /** The number of a new squad among those that are written, from 1. */
  readonly squadNumber: number | null;
}

interface Changes {
  readonly squads: readonly Squad[];
  readonly removedSquads: readonly string[];
  readonly players: readonly Matched[];
  readonly leaving: readonly string[];
  readonly notifications: readonly { readonly user_id: string; readonly data: ChainUpdate }[];
}

function hasAny({ squads, removedSquads, players, leaving }: Changes): boolean {
  return squads.length + removedSquads.length + players.length + leaving.length > 0;
}

function changesOf({ candidates, leaving }: MatchingInput, date: string, now: Date): Changes {
  const week = weekStart(date);
  const members = [...candidates.map(({ player: { userId }, row }) => ({ userId, squadId: row?.squadId })), ...leaving];
  const formerSquads = Map.groupBy(members, ({ squadId }) => squadId ?? null);
  const squads: Squad[] = [];
  const players: Matched[] = [];
  const notifications: Changes["notifications"][number][] = [];
  const continuing = new Set<string>();
  for (const [area, candidatesOfArea] of Map.groupBy(candidates, ({ snapshot }) => snapshot.area_key)) {
    const match = matchArea(
      candidatesOfArea.map(({ player }) => player),
      leadingTeam(area, week),
    );
    const squadOf = new Map<string, Pick<Matched, "squadId" | "squadNumber">>();
    for (const squad of match.squads) {
      if (squad.id === null || !consistsOf(formerSquads.get(squad.id), squad.members)) squads.push(squad);
      if (squad.id !== null) continuing.add(squad.id);
      const membership = { squadId: squad.id, squadNumber: squad.id === null ? squads.length : null };
      for (const userId of squad.members) squadOf.set(userId, membership);
    }
    for (const candidate of candidatesOfArea) {
      const { userId, isSynthetic } = candidate.player;
      const { before = null, after = null } = match.links.get(userId) ?? {};
      const { squadId, squadNumber } = squadOf.get(userId) ?? { squadId: null, squadNumber: null };
      const color = match.colors.get(userId) ?? "red";
      const next = { ...candidate, before, after, color, squadId, squadNumber };
      if (!isUnchanged(next)) players.push(next);
      const data = isSynthetic ? null : updateFor(next, date, now.getTime());
      if (data !== null) notifications.push({ user_id: userId, data });
    }
  }
  return {
    squads,
    removedSquads: [...formerSquads.keys()].filter((id) => id !== null).filter((id) => !continuing.has(id)),
    players,
    leaving: leaving.map(({ userId }) => userId),
    notifications,
  };
}

/** The team that gets the first player of an area: differs between areas, so that small ones are not all in the same team. */
function leadingTeam(area: string, week: string): TeamColor {
  const [first = 0] = createHash("sha256").update(`${area} ${week}`).digest();
  return first % 2 === 0 ? "red" : "blue";
}

function isUnchanged({ row, snapshot, before, after, squadId, squadNumber }: Matched): boolean {
  if (row === null || squadNumber !== null) return false;
  if (row.before !== before || row.after !== after || row.squadId !== squadId) return false;
  return row === snapshot || Object.entries(snapshot).every(([field, value]) => Reflect.get(row, field) === value);
}

/**
 * The data of the notification for a player: when they first have neighbors, and in the last 24 hours before their window when their
 * neighbors change. Null if the window is over, or if there are no neighbors to mention.
 */
function updateFor(next: Matched, date: string, now: number): ChainUpdate | null {
  const { row, snapshot, before, after } = next;
  if (snapshot.ends_at <= now) return null;
  const [wasAlone, isAlone] = [row === null || isUnlinked(row), isUnlinked(next)];
  const neighbors = { date, has_before: before !== null, has_after: after !== null };
  if (wasAlone) return isAlone ? null : { ...neighbors, is_changed: false };
  if ((row?.before === before && row.after === after) || snapshot.starts_at - now > NOTIFY_MS) return null;
  return { ...neighbors, is_changed: true };
}

function isUnlinked({ before, after }: Pick<Matched, "before" | "after">): boolean {
  return before === null && after === null;
}

function consistsOf(former: readonly { userId: string }[] | undefined, members: readonly string[]): boolean {
  return former?.length === members.length && former.every(({ userId }) => members.includes(userId));
}

async function write(tx: Tx, date: string, changes: Changes): Promise<void> {
  const { squads, removedSquads, players, leaving, notifications } = changes;
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
    players: players.map(({ player, snapshot, before, after, color, squadId, squadNumber }) => ({
      ...snapshot,
      starts_at: time(snapshot.starts_at),
      ends_at: time(snapshot.ends_at),
      day_ends_at: time(snapshot.day_ends_at),
      user_id: player.userId,
      before,
      after,
      color,
      squad_id: squadId,
      squad_number: squadNumber,
    })),
    removed_players: leaving,
    notifications,
  };
  await call(tx, "write_chains", { date, changes: written });
}
