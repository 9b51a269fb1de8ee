import { addDays, dateIn } from "@nectar/core/calendar-date";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { type Generated, generateChains } from "./generate-chains.ts";
import { matchNoted } from "./rematch.ts";
import type { ChainsGenerated, ChainsJobResponse } from "./schema.ts";

/** Seconds after which no date is begun; the last one stays below what the function may take. */
const BUDGET_SECONDS = 150;

/** Seconds that a run of everybody waits for another one of the same week. */
const WAIT_SECONDS = 60;

/** Milliseconds for telling devices at once; the scheduled retries tell the others. */
const JOB_PUSH_BUDGET_MS = 10_000;
const PUSH_BUDGET_MS = 1_500;

/** Dates around today for which the operator may have chains generated. */
const DAYS_BACK = 1;
const DAYS_AHEAD = 7;

/**
 * Matches everybody, for today and tomorrow (UTC) or for one date.
 * @throws AppError 400 when the date is neither yesterday nor within the next week
 */
export async function generateForEverybody(services: Services, date?: string): Promise<ChainsJobResponse> {
  const today = services.clock.now().toISOString().slice(0, 10);
  const tomorrow = addDays(today, 1);
  if (date !== undefined && (date < addDays(today, -DAYS_BACK) || date > addDays(today, DAYS_AHEAD))) {
    throw new AppError("game.date_not_playable");
  }
  const dates = date === undefined ? [today, tomorrow] : [date];
  const told = new Set<string>();
  const answer = await runJob(
    services,
    { job: "chains", key: date ?? "today and tomorrow", budgetSeconds: BUDGET_SECONDS },
    async ({ slice, outOfTime }) => {
      const results = { chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 };
      const add = (generated: Generated) => {
        results.chainsCreated += generated.chainsCreated;
        results.chainsChanged += generated.chainsChanged;
        results.squadsCreated += generated.squadsCreated;
        for (const userId of generated.told) told.add(userId);
      };
      for (const day of dates) {
        if (outOfTime()) break;
        const scope = { date: day, waitSeconds: WAIT_SECONDS };
        add(await slice((tx) => generateChains(tx, services.clock, scope)));
      }
      // Whoever changed something meanwhile had to wait for this, and may have given up.
      add(await matchNoted(services, outOfTime));
      return results;
    },
  );
  await deliverPushes(services, { recipients: [...told], budgetMs: JOB_PUSH_BUDGET_MS });
  return { ...answer, today, tomorrow };
}

/** A date that somebody may have chains generated for: today or tomorrow, in UTC or in their own zone. */
export async function dateToGenerate(tx: Tx, userId: string, now: Date, wanted: string | undefined): Promise<string> {
  const window = await tx
    .selectFrom("workout_windows")
    .select("timezone")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const today = dateIn(window?.timezone ?? "UTC", now);
  if (wanted === undefined) return today;
  const utc = dateIn("UTC", now);
  if (![today, addDays(today, 1), utc, addDays(utc, 1)].includes(wanted)) {
    throw new AppError("game.date_not_playable");
  }
  return wanted;
}

/** Matches the place of a person; what others elsewhere do is not theirs to start. */
export async function generateAround(services: Services, userId: string, date: string): Promise<ChainsGenerated> {
  const { told, chainsCreated, squadsCreated } = await services.database.asService((tx) =>
    generateChains(tx, services.clock, { date, around: [userId] }),
  );
  await deliverPushes(services, { recipients: told, budgetMs: PUSH_BUDGET_MS });
  const message = chainsCreated === 0 ? "The chains were there already." : "The chains were generated.";
  return { success: true, message, date, chainsCreated, squadsCreated };
}
