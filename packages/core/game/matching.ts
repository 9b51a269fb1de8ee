/** The two teams. */
export type TeamColor = "red" | "blue";

/** Somebody who plays on a date, in one place. */
export interface Player {
  readonly userId: string;
  readonly isSynthetic: boolean;
  /** When the window of the date opens and closes, in milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** The team of the week; null when they have none yet. */
  readonly color: TeamColor | null;
  /** Whether they played the day before without a squad. */
  readonly leftOut: boolean;
  /** How they were matched before; null for the first time. */
  readonly matched: Match | null;
  /** Whether what they are matched with is final: their window has opened, or they have checked in. */
  readonly fixed: boolean;
}

/** What a player is matched with. */
export interface Match {
  readonly before: string | null;
  readonly after: string | null;
  readonly squadId: string | null;
}

/** Up to three players of one team. */
export interface Squad {
  /** Of the squad that goes on; null for a new one. */
  readonly id: string | null;
  readonly color: TeamColor;
  /** Three; fewer only when somebody left a squad that had begun and nobody is free. */
  readonly members: readonly string[];
}

/** A place after matching. */
export interface PlaceMatch {
  readonly links: ReadonlyMap<string, { readonly before: string | null; readonly after: string | null }>;
  readonly colors: ReadonlyMap<string, TeamColor>;
  readonly squads: readonly Squad[];
}

/** How many make a squad. */
const SQUAD_SIZE = 3;

/**
 * Matches the players of one place on one date: chains, teams and squads. What is fixed stays; of the rest the result
 * depends on nothing but the players, so that matching again what was matched changes nothing. O(n log n).
 * @param leading the team that gets the first player where both are as large; different places should differ
 */
export function matchPlace(players: readonly Player[], leading: TeamColor): PlaceMatch {
  const colors = chooseColors(players, leading);
  return { links: linkPlayers(players), colors, squads: formSquads(players, colors) };
}

/**
 * Links each player to the one whose window ends closest before theirs starts, and to the one whose window starts closest
 * after theirs ends: two-way, one each, so that no two who could be linked are both better off with each other. Ties go by
 * id. Links of fixed players stay as long as the other one is there and their windows still follow each other.
 */
export function linkPlayers(players: readonly Player[]): PlaceMatch["links"] {
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
  // Like brackets: each start takes the latest end before it that no earlier start has taken.
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

/** A window that ends when another starts is before it; of ends at one moment the smallest id is taken first. */
function inTime(a: Event, b: Event): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.isStart !== b.isStart) return a.isStart ? 1 : -1;
  return a.isStart ? byText(a.player.userId, b.player.userId) : byText(b.player.userId, a.player.userId);
}

/** Whether a link of which at least one side is fixed still holds: the other side may have changed their window. */
function staysLinked(first: Player, second: Player): boolean {
  return (first.fixed && second.fixed) || first.endsAt <= second.startsAt;
}

/**
 * The team of everybody. Who has one keeps it; newcomers complete the threes of their place, so that as few as possible
 * are left without a squad, as long as the teams differ by no more than a squad, and else balance them.
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
 * Squads of three of one team. A squad of which somebody is fixed goes on, and whoever left it is replaced; squads of three
 * people go on as long as all are there; all others are formed anew, people first and synthetic users after them, so that
 * these fill what people leave open.
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
  const going = [...former].filter(([, members]) => stays(members)).sort(([a], [b]) => byText(a, b));
  const taken = new Set(going.flatMap(([, members]) => members));
  const free = team.filter((player) => !taken.has(player) && !player.fixed).sort(inTurn);
  let next = 0;
  const take = (count: number) => {
    const some = free.slice(next, next + count);
    next += some.length;
    return some;
  };
  const squads: Squad[] = going.map(([id, members]) => ({
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

/** People before synthetic users, then who was left out, then by window. */
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
