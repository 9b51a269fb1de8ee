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

/** A notification, and whether the date is now like the one before. */
interface ChainUpdate {
  readonly data: NotificationData["chain_update"];
  readonly is_like_before: boolean;
}

/** A row to be written. */
interface Matched extends Candidate {
  readonly before: string | null;
  readonly after: string | null;
  readonly color: TeamColor;
  /** The squad, if it exists already. */
  readonly squadId: string | null;
  /** The number of a new squad among those that are written, from 1. */
  readonly squadNumber: number | null;
  /** The squad, themselves included; empty without one. */
  readonly members: readonly string[];
}

interface Changes {
  readonly squads: readonly Squad[];
  readonly removedSquads: readonly string[];
  readonly players: readonly Matched[];
  readonly leaving: readonly string[];
  readonly notifications: readonly (ChainUpdate & { readonly user_id: string })[];
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
    const squadOf = new Map<string, Pick<Matched, "squadId" | "squadNumber" | "members">>();
    for (const squad of match.squads) {
      if (squad.id === null || !consistsOf(formerSquads.get(squad.id), squad.members)) squads.push(squad);
      if (squad.id !== null) continuing.add(squad.id);
      const { id: squadId, members } = squad;
      const membership = { squadId, squadNumber: squadId === null ? squads.length : null, members };
      for (const userId of squad.members) squadOf.set(userId, membership);
    }
    for (const candidate of candidatesOfArea) {
      const { userId, isSynthetic } = candidate.player;
      const { before = null, after = null } = match.links.get(userId) ?? {};
      const squad = squadOf.get(userId) ?? { squadId: null, squadNumber: null, members: [] };
      const color = match.colors.get(userId) ?? "red";
      const next = { ...candidate, ...squad, before, after, color };
      if (!isUnchanged(next)) players.push(next);
      if (isSynthetic || candidate.snapshot.ends_at <= now.getTime()) continue;
      const notification = updateFor(next, companyOf(candidate, formerSquads), date);
      if (notification !== null) notifications.push({ user_id: userId, ...notification });
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

type Company = Pick<Matched, "before" | "after" | "members">;

/** Who a person played with by their row of the date; null without a row. */
function companyOf(
  { row }: Candidate,
  squads: ReadonlyMap<string | null, readonly { userId: string }[]>,
): Company | null {
  if (row === null) return null;
  const members = row.squadId === null ? undefined : squads.get(row.squadId);
  return { ...row, members: members?.map(({ userId }) => userId) ?? [] };
}

/** The notification for a person when they first have company, and when it changes; null if there is nothing to tell. */
function updateFor(next: Company & Pick<Candidate, "former">, was: Company | null, date: string): ChainUpdate | null {
  const told = was ?? next.former;
  const wasAlone = told === null || isAlone(told);
  if (isSame(told, next) || (wasAlone && isAlone(next))) return null;
  const data = { date, has_before: next.before !== null, has_after: next.after !== null, is_changed: !wasAlone };
  return { data, is_like_before: isSame(next.former, next) };
}

function isSame(one: Company | null, other: Company): boolean {
  return one?.before === other.before && one.after === other.after && haveSame(one.members, other.members);
}

function isAlone({ before, after, members }: Company): boolean {
  return before === null && after === null && members.length === 0;
}

function haveSame(former: readonly string[], members: readonly string[]): boolean {
  return former.length === members.length && former.every((id) => members.includes(id));
}

function consistsOf(former: readonly { userId: string }[] | undefined, members: readonly string[]): boolean {
  return (
    former !== undefined &&
    haveSame(
      former.map(({ userId }) => userId),
      members,
    )
  );
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
