import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { playBattle } from "#core/game/battle";
import { utcDate, weekStart } from "#core/time/calendar-date";
import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { type BudgetedWork, job, withinBudget } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import type { Services } from "#http/services/services";
import { scheduleOf } from "../../schedules.ts";
import { type BattleRow, openBattle, present, refuseFuture, requireMonday, totalsOf } from "./battle.ts";
import type { BattleExecutedResponse } from "./schema.ts";

/** How late the Sunday job may run and still end the week of that Sunday. */
const LATEST_JOB_MS = 12 * 3_600_000;
/** People that one transaction notifies of the result of a battle. */
const NOTIFIED_AT_ONCE = 5_000;
/** Milliseconds that a request waits for the notifications of a result; the end-of-day job sends the rest. */
const NOTIFYING_BUDGET_MS = 20_000;

/**
 * Ends the battle of a week that has begun, and notifies its players. A battle that is over keeps its result; players who
 * have not been notified yet are notified.
 * @param week `YYYY-MM-DD`
 * @throws AppError 400 for a date that is no Monday or a future week, 404 for a past week that was never played
 */
export async function executeBattle(services: Services, week: string): Promise<BattleExecutedResponse> {
  requireMonday(week);
  refuseFuture(week, services.clock.now());
  const ended = await services.database.asService((tx) => endBattle(tx, week, services.clock));
  await notifyWeek(withinBudget(services, NOTIFYING_BUDGET_MS), week);
  await wakePushes(services);
  return ended;
}

/** Ends the battle of the current week, and earlier ones that have not ended. */
export const executeRunningBattle = job(
  scheduleOf("battle"),
  async (context) => {
    const { services, now, key: running, transaction } = context;
    const weeks = await transaction((tx) => openWeeks(tx, running, now));
    for (const week of weeks) await transaction((tx) => endBattle(tx, week, services.clock));
    await notifyResults(context);
    await wakePushes(services);
    return { executed: weeks.length, weeks };
  },
  { key: (now) => weekStart(utcDate(new Date(now.getTime() - LATEST_JOB_MS))) },
);

/** Notifies players of completed battles who have not been notified yet, until the budget is used up. */
export async function notifyResults(work: BudgetedWork): Promise<void> {
  const unannounced = await work.transaction((tx) =>
    tx.selectFrom("private.battle_announcements").select("week_start_date").orderBy("week_start_date").execute(),
  );
  for (const { week_start_date: week } of unannounced) {
    if (work.outOfTime()) return;
    await notifyWeek(work, week);
  }
}

async function notifyWeek({ forEachBatch }: BudgetedWork, week: string): Promise<void> {
  await forEachBatch(NOTIFIED_AT_ONCE, async (tx) => {
    const more = await call(tx, "notify_battle_results", { week, max: NOTIFIED_AT_ONCE });
    return { seen: more ? NOTIFIED_AT_ONCE : 0, counts: {} };
  });
}

async function endBattle(tx: Tx, week: string, clock: Services["clock"]): Promise<BattleExecutedResponse> {
  // Check-ins share this lock until they are committed, so after this all of them are summed.
  await call(tx, "lock_battle", { week });
  const row = await openBattle(tx, week, clock.now());
  // After the lock, so that no check-in in the sum was verified after the battle ended.
  const now = clock.now();
  if (row.battle_status === "completed") return executed(row);
  if (row.battle_status === "pending") throw new AppError("game.no_battle");
  const totals = await totalsOf(tx, week);
  const seed = createHash("sha256").update(week).digest();
  const outcome = playBattle(
    { chips: totals.red_chips, members: totals.red_members },
    { chips: totals.blue_chips, members: totals.blue_members },
    seed,
  );
  const { redRobotPower, blueRobotPower, badGuyPower, rounds, winner, finalOutcome } = outcome;
  const result = {
    ...totals,
    red_power: redRobotPower,
    blue_power: blueRobotPower,
    winner,
    battle_result: { redRobotPower, blueRobotPower, badGuyPower, rounds, finalOutcome, seed: seed.toString("hex") },
  };
  return executed(only(await call(tx, "end_battle", { week, moment: now, result })));
}

/** Weeks up to the running one whose battle is not over, oldest first. Creates the battle of the running week. */
async function openWeeks(tx: Tx, running: string, now: Date): Promise<string[]> {
  await call(tx, "open_battle", { week: running, moment: now });
  const rows = await tx
    .selectFrom("battles")
    .select("week_start_date")
    .where("battle_status", "<>", "completed")
    .where("week_start_date", "<=", running)
    .orderBy("week_start_date")
    .execute();
  return rows.map(({ week_start_date }) => week_start_date);
}

function executed(row: BattleRow): BattleExecutedResponse {
  const battle = present(row);
  if (battle.winner === null || battle.battle_result === null) throw new Error("A completed battle has a result.");
  return { battle, winner: battle.winner, battleResult: battle.battle_result };
}
