import type { Enum } from "../enums.generated.ts";

export type TeamColor = Enum<"team_color">;

/** A player of one area on one date. */
export interface Player {
  readonly userId: string;
  readonly isSynthetic: boolean;
  /** When the window of the date opens and closes, in milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** The team of the week; null if there is none yet. */
  readonly color: TeamColor | null;
  /** Whether the player had no squad on the day before. */
  readonly leftOut: boolean;
  /** The current match; null if there is none yet. */
  readonly matched: Match | null;
  /** Whether the match is final: the window has opened, or the player has checked in. */
  readonly fixed: boolean;
  /** Other people with a block between them and this player, by either side; at least one of the two names the other. */
  readonly blocked: ReadonlySet<string>;
}

/** A player's neighbors and squad. */
export interface Match {
  readonly before: string | null;
  readonly after: string | null;
  readonly squadId: string | null;
}

/** Up to three players of one team. */
export interface Squad {
  /** Id of the squad that continues; null for a new one. */
  readonly id: string | null;
  readonly color: TeamColor;
  /** Three; fewer only if a player left a squad that had started and no other player is free. */
  readonly members: readonly string[];
}

/** The result of matching an area. */
export interface AreaMatch {
  readonly links: ReadonlyMap<string, { readonly before: string | null; readonly after: string | null }>;
  readonly colors: ReadonlyMap<string, TeamColor>;
  readonly squads: readonly Squad[];
}

const SQUAD_SIZE = 3;

/**
 * Matches the players of one area on one date: chains, teams and squads. Final matches stay. The rest depends only on the
 * players, so that matching again changes nothing. Two people with a block between them are neither linked nor in one squad,
 * unless that is final already. O(n log n) without blocks.
 * @param leading the team that gets the next player if both are equally large; should differ between areas
 */
export function matchArea(players: readonly Player[], leading: TeamColor): AreaMatch {
  const colors = chooseColors(players, leading);
  return { links: linkPlayers(players), colors, squads: formSquads(players, colors) };
}

/**
 * Links each player to the one whose window ends closest before theirs starts, and to the one whose window starts closest
 * after theirs ends. Each player has at most one link on each side, and the matching is stable: no two players without a
 * block between them would both prefer each other to their links. Ties are broken by id. Links of fixed players stay as
 * long as the other player is there and their windows still follow each other.
 */
export function linkPlayers(players: readonly Player[]): AreaMatch["links"] {
  const byId = new Map(players.map((player) => [player.userId, player]));
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  const link = (first: string, second: string) => {
    after.set(first, second);
    before.set(second, first);
  };
  for (const { userId, matched, fixed } of players) {
    if (!fixed || matched === null) continue;
    const [ahead, behind] = [byId.get(matched.before ?? ""), byId.get(matched.after ?? "")];
    const self = byId.get(userId);
    if (self === undefined) continue;
    if (ahead !== undefined && ahead.matched?.after === userId && staysLinked(ahead, self)) link(ahead.userId, userId);
    if (behind !== undefined && behind.matched?.before === userId && staysLinked(self, behind)) {
      link(userId, behind.userId);
    }
  }
  // Like matching brackets: each start takes the latest end before it that no earlier start has taken, except for people
  // with a block between them, who wait for another start.
  const events = players.flatMap((player): Event[] => [
    { at: player.startsAt, isStart: true, player },
    { at: player.endsAt, isStart: false, player },
  ]);
  const waiting: Player[] = [];
  for (const { isStart, player } of events.sort(inTime)) {
    const { userId, fixed } = player;
    if (fixed) continue;
    if (!isStart && !after.has(userId)) waiting.push(player);
    else if (isStart && !before.has(userId)) {
      const closest = takeLast(waiting, (other) => !areBlocked(other, player));
      if (closest !== undefined) link(closest.userId, userId);
    }
  }
  return new Map(
    players.map(({ userId }) => [userId, { before: before.get(userId) ?? null, after: after.get(userId) ?? null }]),
  );
}

interface Event {
  readonly at: number;
  readonly isStart: boolean;
  readonly player: Player;
}

/** An end comes before a start at the same time; of several ends at the same time, the smallest id is linked first. */
function inTime(a: Event, b: Event): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.isStart !== b.isStart) return a.isStart ? 1 : -1;
  return a.isStart ? byText(a.player.userId, b.player.userId) : byText(b.player.userId, a.player.userId);
}

/** Whether a link with at least one fixed side stays: the other side may have changed their window. */
function staysLinked(first: Player, second: Player): boolean {
  return (first.fixed && second.fixed) || first.endsAt <= second.startsAt;
}

/**
 * The team of each player. Players who have a team keep it. New players complete squads of three, so that as few players as
 * possible have no squad, while the teams differ by one squad at most; otherwise they balance the teams.
 */
function chooseColors(players: readonly Player[], leading: TeamColor): Map<string, TeamColor> {
  const colors = new Map<string, TeamColor>();
  const sizes = { red: 0, blue: 0 };
  const join = (userId: string, color: TeamColor) => {
    colors.set(userId, color);
    sizes[color] += 1;
  };
  for (const { userId, color } of players) {
    if (color !== null) join(userId, color);
  }
  for (const { userId } of players.filter(({ color }) => color === null).sort(inTurn)) {
    join(userId, nextColor(sizes, leading));
  }
  return colors;
}

function nextColor(sizes: Readonly<Record<TeamColor, number>>, leading: TeamColor): TeamColor {
  const other = leading === "red" ? "blue" : "red";
  const smaller = sizes[leading] <= sizes[other] ? leading : other;
  const larger = smaller === leading ? other : leading;
  if (sizes[smaller] % SQUAD_SIZE !== 0) return smaller;
  const completes = sizes[larger] % SQUAD_SIZE !== 0 && sizes[larger] + 1 - sizes[smaller] <= SQUAD_SIZE;
  return completes ? larger : smaller;
}

/** Whether there is a block between two players, by either side. */
function areBlocked(one: Player, other: Player): boolean {
  return one.blocked.has(other.userId) || other.blocked.has(one.userId);
}

function fits(player: Player, members: readonly Player[]): boolean {
  return !members.some((member) => areBlocked(member, player));
}

/**
 * Squads of three players of one team. A squad with a fixed member continues, and missing members are replaced; a squad of
 * three people continues as long as all are there and no two of them have a block between them. All other squads are formed
 * again: first of people, then synthetic users fill the gaps.
 */
function formSquads(players: readonly Player[], colors: ReadonlyMap<string, TeamColor>): Squad[] {
  const teams: Record<TeamColor, Player[]> = { red: [], blue: [] };
  for (const player of players) teams[colors.get(player.userId) ?? "red"].push(player);
  return [...squadsOf(teams.red, "red"), ...squadsOf(teams.blue, "blue")];
}

function squadsOf(team: readonly Player[], color: TeamColor): Squad[] {
  const former = new Map<string, Player[]>();
  for (const player of team) {
    const id = player.matched?.squadId ?? null;
    if (id !== null) former.set(id, [...(former.get(id) ?? []), player]);
  }
  const hasStarted = (members: readonly Player[]) => members.some(({ fixed }) => fixed);
  const stays = (members: readonly Player[]) =>
    hasStarted(members) ||
    (members.length === SQUAD_SIZE && members.every((member) => !member.isSynthetic && fits(member, members)));
  const continuing = [...former].filter(([, members]) => stays(members)).sort(([a], [b]) => byText(a, b));
  const idOfThree = new Map(
    [...former].filter(([, members]) => !stays(members)).map(([id, members]) => [keyOf(members), id]),
  );
  const taken = new Set(continuing.flatMap(([, members]) => members));
  // The next in turn is the last, where taking one out is cheap.
  const waiting = team
    .filter((player) => !taken.has(player) && !player.fixed)
    .sort(inTurn)
    .reverse();
  for (const [, members] of continuing) fillUp(members.sort(inTurn), waiting);
  const free = waiting.reverse();
  const people = free.filter(({ isSynthetic }) => !isSynthetic);
  const ofPeople = formThrees(people);
  const mixed = formThrees([...ofPeople.waiting, ...free.slice(people.length)]);
  return [
    ...continuing.map(([id, members]) => ({ id, color, members: idsOf(members) })),
    ...[...ofPeople.formed, ...mixed.formed].map((members) => ({
      id: idOfThree.get(keyOf(members)) ?? null,
      color,
      members: idsOf(members),
    })),
  ];
}

/** Fills a squad up with the players who fit and are next in turn. @param waiting the next one is the last */
function fillUp(members: Player[], waiting: Player[]): void {
  while (members.length < SQUAD_SIZE) {
    const next = takeLast(waiting, (player) => fits(player, members));
    if (next === undefined) return;
    members.push(next);
  }
}

/** Takes the last player who passes a check out of an array. */
function takeLast(players: Player[], passes: (player: Player) => boolean): Player | undefined {
  const index = players.findLastIndex(passes);
  // Nearly always the last one, which needs no new array.
  if (index === players.length - 1) return players.pop();
  return index < 0 ? undefined : players.splice(index, 1)[0];
}

/**
 * Forms squads of three. Without blocks these are the first three players, the next three, and so on. Players who fit into
 * none of them have no squad on that date, and are the first in turn on the next one.
 * @returns the squads, and the players who are in none
 */
function formThrees(players: readonly Player[]): { formed: Player[][]; waiting: readonly Player[] } {
  const formed: Player[][] = [];
  const taken = new Set<Player>();
  for (const [index, first] of players.entries()) {
    if (taken.has(first)) continue;
    const members = findThree([first], { players, from: index + 1, taken });
    if (members !== null) formed.push(members);
  }
  return { formed, waiting: players.filter((player) => !taken.has(player)) };
}

/** Players who are considered for a squad: those from an index on who are in none yet. */
interface Rest {
  readonly players: readonly Player[];
  readonly from: number;
  readonly taken: Set<Player>;
}

/** Completes a squad with the first players who fit, and marks all of it as taken; null if there are none. */
function findThree(members: readonly Player[], { players, from, taken }: Rest): Player[] | null {
  if (members.length === SQUAD_SIZE) {
    for (const member of members) taken.add(member);
    return [...members];
  }
  for (let index = from; index < players.length; index += 1) {
    const player = players[index];
    if (player === undefined || taken.has(player) || !fits(player, members)) continue;
    const three = findThree([...members, player], { players, from: index + 1, taken });
    if (three !== null) return three;
  }
  return null;
}

/** People before synthetic users, then players who were left out the day before, then by window. */
function inTurn(a: Player, b: Player): number {
  return (
    Number(a.isSynthetic) - Number(b.isSynthetic) ||
    Number(b.leftOut) - Number(a.leftOut) ||
    a.startsAt - b.startsAt ||
    byText(a.userId, b.userId)
  );
}

function idsOf(players: readonly Player[]): string[] {
  return players.map(({ userId }) => userId);
}

function keyOf(players: readonly Player[]): string {
  return idsOf(players).sort().join();
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
