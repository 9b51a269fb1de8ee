import { createHash } from "node:crypto";
import { playBattle } from "@nectar/core/game/battle";
import { weekStart } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { type JobAnswer, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import {
  type BattleRow,
  COLUMNS,
  noBattle,
  openBattle,
  present,
  refuseFuture,
  requireMonday,
  totalsOf,
  utcDate,
} from "./battle.ts";
import type { BattleExecutedAnswer } from "./battle-schema.ts";

/** How late the Sunday job may be and still mean the week of that Sunday. */
const LATEST_JOB_MS = 12 * 3_600_000;
/** How long somebody waits for devices to be told of a result; the scheduled job tells the rest. */
const PUSH_BUDGET_MS = 5_000;

/**
 * Ends the battle of a week that has begun, and tells its players. A battle that is over keeps its result.
 * @param week `YYYY-MM-DD`
 * @throws AppError 400 for a date that is no Monday or a future week, 404 for a past week that was never played
 */
export async function executeBattle(services: Services, week: string): Promise<BattleExecutedAnswer> {
  requireMonday(week);
  const now = services.clock.now();
  refuseFuture(week, now);
  const ended = await services.database.asService((tx) => endBattle(tx, week, now));
  await deliverPushes(services, { budgetMs: PUSH_BUDGET_MS });
  return ended;
}

/** Ends the battle of the running week, and those before it that were forgotten. */
export async function executeRunningBattle(services: Services): Promise<JobAnswer> {
  const now = services.clock.now();
  const running = weekStart(utcDate(new Date(now.getTime() - LATEST_JOB_MS)));
  const done = await runJob(services, { job: "battle", key: running }, async ({ slice }) => {
    const weeks = await slice((tx) => openWeeks(tx, running, now));
    for (const week of weeks) await slice((tx) => endBattle(tx, week, now));
    return { executed: weeks.length, weeks };
  });
  await deliverPushes(services, { budgetMs: PUSH_BUDGET_MS });
  return done;
}

async function endBattle(tx: Tx, week: string, now: Date): Promise<BattleExecutedAnswer> {
  const opened = await openBattle(tx, week, now);
  // Check-ins hold the row while they are written: once it is ours, all of them are there to be summed.
  const row = await tx
    .selectFrom("battles")
    .select("battle_status")
    .where("id", "=", opened.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.battle_status === "completed") return executed(await openBattle(tx, week, now));
  if (row.battle_status === "pending") throw noBattle();
  const totals = await totalsOf(tx, week);
  const seed = createHash("sha256").update(week).digest();
  const outcome = playBattle(
    { chips: totals.red_chips, members: totals.red_members },
    { chips: totals.blue_chips, members: totals.blue_members },
    seed,
  );
  const { redRobotPower, blueRobotPower, badGuyPower, rounds, winner, finalOutcome } = outcome;
  const result = { redRobotPower, blueRobotPower, badGuyPower, rounds, finalOutcome, seed: seed.toString("hex") };
  const { rows } = await sql<BattleRow>`
    select ${COLUMNS}
    from private.end_battle(
      ${week}::date, ${now.toISOString()}::timestamptz, ${totals.red_chips}, ${totals.blue_chips},
      ${totals.red_members}, ${totals.blue_members}, ${redRobotPower}, ${blueRobotPower},
      ${winner}::nectar.battle_winner, ${JSON.stringify(result)}::jsonb, ${finalOutcome}
    ) b
  `.execute(tx);
  const [ended] = rows;
  if (ended === undefined) throw new Error("A battle whose row is held was ended by somebody else.");
  return executed(ended);
}

/** Weeks up to one whose battle runs, the oldest first; the one itself is made when it is the present week. */
async function openWeeks(tx: Tx, running: string, now: Date): Promise<string[]> {
  await sql`select from private.open_battle(${running}::date, ${now.toISOString()}::timestamptz)`.execute(tx);
  const rows = await tx
    .selectFrom("battles")
    .select("week_start_date")
    .where("battle_status", "=", "in_progress")
    .where("week_start_date", "<=", running)
    .orderBy("week_start_date")
    .execute();
  return rows.map(({ week_start_date }) => week_start_date);
}

function executed(row: BattleRow): BattleExecutedAnswer {
  const battle = present(row);
  if (battle.winner === null || battle.battle_result === null) throw new Error("A completed battle has a result.");
  return { battle, winner: battle.winner, battleResult: battle.battle_result };
}
