/** The two teams. */
export type TeamColor = "red" | "blue";

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
 * players, so that matching again changes nothing. O(n log n).
 * @param leading the team that gets the next player if both are equally large; should differ between areas
 */
export function matchArea(players: readonly Player[], leading: TeamColor): AreaMatch {
  const colors = chooseColors(players, leading);
  return { links: linkPlayers(players), colors, squads: formSquads(players, colors) };
}

/**
 * Links each player to the one whose window ends closest before theirs starts, and to the one whose window starts closest
 * after theirs ends. Each player has at most one link on each side, and the matching is stable: no two players would both
 * prefer each other to their links. Ties are broken by id. Links of fixed players stay as long as the other player is there
 * and their windows still follow each other.
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
  // Like matching brackets: each start takes the latest end before it that no earlier start has taken.
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
      const closest = waiting.pop();
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

/**
 * Squads of three players of one team. A squad with a fixed member continues, and missing members are replaced; a squad of
 * three people continues as long as all are there. All other squads are formed again, people first, so that synthetic users
 * fill the gaps.
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
  const stays = (members: readonly Player[]) =>
    members.some(({ fixed }) => fixed) ||
    (members.length === SQUAD_SIZE && !members.some(({ isSynthetic }) => isSynthetic));
  const continuing = [...former].filter(([, members]) => stays(members)).sort(([a], [b]) => byText(a, b));
  const taken = new Set(continuing.flatMap(([, members]) => members));
  const free = team.filter((player) => !taken.has(player) && !player.fixed).sort(inTurn);
  let next = 0;
  const take = (count: number) => {
    const some = free.slice(next, next + count);
    next += some.length;
    return some;
  };
  const squads: Squad[] = continuing.map(([id, members]) => ({
    id,
    color,
    members: idsOf([...members.sort(inTurn), ...take(SQUAD_SIZE - members.length)]),
  }));
  const idOfThree = new Map(
    [...former].filter(([, members]) => !stays(members)).map(([id, members]) => [keyOf(members), id]),
  );
  while (free.length - next >= SQUAD_SIZE) {
    const members = take(SQUAD_SIZE);
    squads.push({ id: idOfThree.get(keyOf(members)) ?? null, color, members: idsOf(members) });
  }
  return squads;
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
