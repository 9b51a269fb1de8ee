import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { AppError } from "#core/errors";
import { robotPower } from "#core/game/battle";
import { utcDate, weekStart } from "#core/time/calendar-date";
import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all } from "#database/query";
import type { Battles } from "#database/types.generated";
import { type PageQuery, pageOf } from "#http/response/paging";
import {
  type Battle,
  type BattleHistoryResponse,
  type BattleProof,
  BattleResult,
  type BattleWeekResponse,
} from "./schema.ts";

const HOUR_MS = 3_600_000;
/** How far the first time zone is ahead of UTC. */
const FIRST_ZONE_AHEAD_MS = 14 * HOUR_MS;
/** A battle as it is stored. */
export type BattleRow = Selectable<Battles>;

interface Members {
  readonly red_members: number;
  readonly blue_members: number;
}

interface Totals extends Members {
  readonly red_chips: number;
  readonly blue_chips: number;
}

/** The totals with which a battle ends. */
interface FinalTotals extends Totals {
  /** By the dates on which they were earned, as they are stored with the battle. */
  readonly daily_chips: unknown;
}

type DailyStats = BattleWeekResponse["dailyStats"];

/**
 * The battle of a week with both teams and its days: sums of the verified check-ins while it runs, the stored result once it
 * is over. Creates the battle of the current week if it does not exist.
 * @param week `YYYY-MM-DD`
 * @throws AppError 400 for a date that is no Monday or a week that has not begun in any time zone, 404 for a week without a
 *   battle
 */
export async function readBattleWeek(tx: Tx, week: string, now: Date): Promise<BattleWeekResponse> {
  requireMonday(week);
  refuseFuture(week, new Date(now.getTime() + FIRST_ZONE_AHEAD_MS));
  const row = found(await call(tx, "open_current_battle", { week, moment: now }));
  const days = await dailyStats(tx, week);
  const totals = row.battle_status === "completed" ? storedTotals(row) : await runningTotals(tx, week, days);
  const [redTeam, blueTeam] = [
    teamOf(totals.red_chips, totals.red_members),
    teamOf(totals.blue_chips, totals.blue_members),
  ];
  return {
    battle: {
      ...present(row),
      red_team_chips: redTeam.totalChips,
      blue_team_chips: blueTeam.totalChips,
      red_team_robot_power: redTeam.robotPower,
      blue_team_robot_power: blueTeam.robotPower,
    },
    redTeam,
    blueTeam,
    dailyStats: days,
  };
}

/**
 * What a completed battle was computed from, and its result, so that anyone can recompute it.
 * @throws AppError 400 as in `readBattleWeek`, 404 for a battle that is not completed
 */
export async function readBattleProof(tx: Tx, week: string, now: Date): Promise<BattleProof> {
  requireMonday(week);
  refuseFuture(week, new Date(now.getTime() + FIRST_ZONE_AHEAD_MS));
  const row = found(await completedBattles(tx).where("week_start_date", "=", week).execute());
  const { winner } = row;
  if (winner === null) throw new Error("A completed battle has a winner.");
  const { redRobotPower, blueRobotPower, badGuyPower, rounds, seed } = BattleResult.parse(row.battle_result);
  // The fields are in the order of canonical JSON.
  const facts = {
    algorithm: "battle-1" as const,
    blue: { chips: row.blue_team_chips, members: row.blue_team_members },
    red: { chips: row.red_team_chips, members: row.red_team_members },
    seed,
    weekStartDate: week,
  };
  return {
    ...facts,
    result: { winner, powers: { red: redRobotPower, blue: blueRobotPower, badGuy: badGuyPower }, rounds },
    digest: createHash("sha256").update(JSON.stringify(facts)).digest("hex"),
  };
}

/** Completed battles, newest first, and the caller's part in them. */
export async function listBattles(
  tx: Tx,
  userId: string,
  { cursor, limit }: PageQuery,
): Promise<BattleHistoryResponse> {
  const rows = await completedBattles(tx)
    .where(afterCursor(["week_start_date", "id"], cursor))
    .orderBy("week_start_date", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ week_start_date, id }) => ({ at: `${week_start_date}T00:00:00.000Z`, id }));
  const mine = only(await call(tx, "player_record", { userId }));
  return {
    battles: page.rows.map(present),
    userStats: {
      totalChipsContributed: mine.chips,
      battlesWon: mine.battles_won,
      longestChain: mine.longest_streak,
    },
    nextCursor: page.next_cursor,
  };
}

/** The battle of a week; that of the current week is created if it does not exist. @throws AppError 404 for a week without one */
export async function openBattle(tx: Tx, week: string, now: Date): Promise<BattleRow> {
  return found(await call(tx, "open_battle", { week, moment: now }));
}

function completedBattles(tx: Tx) {
  return tx.selectFrom("battles").selectAll().where("battle_status", "=", "completed");
}

/** @throws AppError 404 if there is none */
function found([battle]: readonly BattleRow[]): BattleRow {
  if (battle === undefined) throw new AppError("game.no_battle");
  return battle;
}

/** The chips and members with which a battle ends. */
export async function totalsOf(tx: Tx, week: string): Promise<FinalTotals> {
  return only(await call(tx, "battle_totals", { week }));
}

async function runningTotals(tx: Tx, week: string, days: DailyStats): Promise<Totals> {
  const members = only(await call(tx, "battle_members", { week }));
  return {
    red_chips: days.reduce((sum, day) => sum + day.redTeamChips, 0),
    blue_chips: days.reduce((sum, day) => sum + day.blueTeamChips, 0),
    ...members,
  };
}

function storedTotals(row: BattleRow): Totals {
  return {
    red_chips: row.red_team_chips,
    blue_chips: row.blue_team_chips,
    red_members: row.red_team_members,
    blue_members: row.blue_team_members,
  };
}

async function dailyStats(tx: Tx, week: string): Promise<DailyStats> {
  return all<DailyStats[number]>(tx)`
    select d.date, coalesce(sum(s.red_chips), 0)::integer as "redTeamChips",
      coalesce(sum(s.blue_chips), 0)::integer as "blueTeamChips"
    from (select ${week}::date + day as date from generate_series(0, 6) day) d
    left join private.battle_days(${week}::date) s on greatest(s.date, ${week}::date) = d.date
    group by d.date order by d.date
  `;
}

function teamOf(chips: number, members: number): BattleWeekResponse["redTeam"] {
  return { totalChips: chips, robotPower: robotPower({ chips, members }), members };
}

/** A battle as it is sent. */
export function present({
  red_team_members,
  blue_team_members,
  daily_chips,
  battle_result,
  ...battle
}: BattleRow): Battle {
  return { ...battle, battle_result: battle_result === null ? null : BattleResult.parse(battle_result) };
}

/** @throws AppError 400 for a date that is no Monday */
export function requireMonday(week: string): void {
  if (weekStart(week) !== week) throw new AppError("game.not_a_monday");
}

/** @throws AppError 400 for a week that begins after the date of a moment in UTC */
export function refuseFuture(week: string, latest: Date): void {
  if (week > utcDate(latest)) throw new AppError("game.future_week");
}
