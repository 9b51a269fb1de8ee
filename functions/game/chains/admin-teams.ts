import { sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all } from "#database/query";
import { pageOf } from "#http/response/paging";
import { type DayMoment, type DayState, dayState } from "../day-state.ts";
import type { TeamColor } from "../schema.ts";
import type { AdminTeam, AdminTeamsQuery, AdminTeamsResponse, TeamMember } from "./admin-teams-schema.ts";

interface MemberRow {
  readonly user_id: string;
  readonly full_name: string | null;
  readonly is_ai: boolean;
  readonly squad_id: string | null;
  readonly team_color: TeamColor;
  readonly window_starts_at: string;
  readonly status: DayState;
}

type CountRow = Awaited<ReturnType<typeof countPeople>>[number];

/**
 * Both teams of a date: a page of the members, in the order in which their windows start, and the squads whose first member
 * is on it. The counts are over all members; people and synthetic users are counted separately.
 */
export async function readAdminTeams(
  tx: Tx,
  date: string,
  { limit, cursor }: AdminTeamsQuery,
  moment: DayMoment,
): Promise<AdminTeamsResponse> {
  // The page is cut before the joins: looking up the check-ins of everyone who plays took three times as long.
  const rows = await all<MemberRow>(tx)`
    select c.user_id, p.full_name, p.is_ai, c.squad_id, c.team_color, c.window_starts_at,
      ${dayState(moment)} as status
    from (
      select c.user_id, c.date, c.squad_id, c.team_color, c.window_starts_at, c.window_ends_at, c.day_ends_at
      from chains c
      where c.date = ${date} and ${afterCursor(["c.window_starts_at", "c.user_id"], cursor, "oldest first")}
        -- All windows of a date, in any time zone: the index in this order must not be read from the first date on.
        and c.window_starts_at between ${date}::date - 1 and ${date}::date + 2
      order by c.window_starts_at, c.user_id limit ${limit + 1}
    ) c
    join profiles p on p.id = c.user_id
    left join workout_checkins k on k.user_id = c.user_id and k.date = c.date
    order by c.window_starts_at, c.user_id
  `;
  const squadOfFirst = await squadsOf(
    tx,
    date,
    rows.map(({ user_id }) => user_id),
  );
  const page = pageOf(
    rows,
    limit,
    (row) => ({ at: row.window_starts_at, id: row.user_id }),
    (row) => [memberOf(row), squadOfFirst.get(row.user_id)?.shown],
  );
  const squads = page.rows.flatMap(({ user_id }) => squadOfFirst.get(user_id) ?? []);
  const counts = await countPeople(tx, date);
  const total = await tx
    .selectFrom("squads")
    .select(({ fn }) => fn.countAll<number>().as("squads"))
    .where("date", "=", date)
    .where(sql<boolean>`num_nonnulls(user_1_id, user_2_id, user_3_id) > 0`)
    .executeTakeFirstOrThrow();
  const team = (color: TeamColor): AdminTeam => ({
    members: page.rows.filter((row) => row.team_color === color).map(memberOf),
    squads: squads.filter(({ team_color }) => team_color === color).map(({ shown }) => shown),
    realUsers: peopleOf(counts, false, color),
    aiUsers: peopleOf(counts, true, color),
  });
  const [realUsers, aiUsers] = [peopleOf(counts, false), peopleOf(counts, true)];
  return {
    date,
    redTeam: team("red"),
    blueTeam: team("blue"),
    summary: { totalMembers: realUsers + aiUsers, realUsers, aiUsers, squads: total.squads },
    nextCursor: page.next_cursor,
  };
}

function countPeople(tx: Tx, date: string) {
  return tx
    .selectFrom("chains as c")
    .innerJoin("profiles as p", "p.id", "c.user_id")
    .select(({ fn }) => ["c.team_color", "p.is_ai", fn.countAll<number>().as("people")])
    .where("c.date", "=", date)
    .groupBy(["c.team_color", "p.is_ai"])
    .execute();
}

/** Squads with the cards of their members, by the id of the first member; null for one who has left. */
async function squadsOf(tx: Tx, date: string, members: readonly string[]) {
  const squads = await tx
    .selectFrom("squads")
    .select(["id", "team_color", "user_1_id", "user_2_id", "user_3_id"])
    .where("date", "=", date)
    .where(sql<boolean>`coalesce(user_1_id, user_2_id, user_3_id) = any (${members}::uuid[])`)
    .execute();
  const userIds = squads.flatMap(({ user_1_id, user_2_id, user_3_id }) => [user_1_id, user_2_id, user_3_id]);
  const present = userIds.filter((id) => id !== null);
  const cards = new Map((await call(tx, "player_cards", { date, userIds: present })).map((card) => [card.id, card]));
  const cardOf = (id: string | null) => (id === null ? null : (cards.get(id) ?? null));
  return new Map(
    squads.map(({ id, team_color, user_1_id, user_2_id, user_3_id }) => [
      user_1_id ?? user_2_id ?? user_3_id,
      { team_color, shown: { id, user1: cardOf(user_1_id), user2: cardOf(user_2_id), user3: cardOf(user_3_id) } },
    ]),
  );
}

function memberOf({ user_id, full_name, is_ai, squad_id, status }: MemberRow): TeamMember {
  return { userId: user_id, fullName: full_name, isAi: is_ai, squadId: squad_id, status };
}

function peopleOf(counts: readonly CountRow[], synthetic: boolean, color?: TeamColor): number {
  return counts
    .filter((row) => row.is_ai === synthetic && (color === undefined || row.team_color === color))
    .reduce((sum, { people }) => sum + people, 0);
}
