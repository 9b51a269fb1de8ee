import { AppError } from "#core/errors";
import { addDays, dateIn, utcDate } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { type JobContext, job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import type { Services } from "#http/services/services";
import { scheduleOf } from "../../schedules.ts";
import type { Generated } from "./generate-chains.ts";
import { matchQueued, sumOf } from "./rematch.ts";
import type { ChainsJobResponse, GenerateChainsResponse } from "./schema.ts";

/** Seconds that a run for everyone waits for another one of the same week. */
const WAIT_SECONDS = 60;

/** Days before and after today for which the operator may generate chains. */
const DAYS_BACK = 1;
export const DAYS_AHEAD = 7;

/** Matches everyone, for today and tomorrow (UTC) or for one date. */
export const matchAllPlayers = job(
  scheduleOf("chains"),
  async (context: JobContext<{ date: string }>) => {
    const { services, now, options, transaction, outOfTime } = context;
    const { generateChains } = await import("./generate-chains.ts");
    const today = utcDate(now);
    const done: Generated[] = [];
    for (const date of options.date === undefined ? [today, addDays(today, 1)] : [options.date]) {
      if (outOfTime()) break;
      const scope = { date, waitSeconds: WAIT_SECONDS };
      done.push(await transaction((tx) => generateChains(tx, services.clock, scope)));
    }
    // Requests that changed something meanwhile waited for this run, and may have left the matching to the job.
    done.push(await matchQueued(context));
    await wakePushes(services);
    return { ...sumOf(done) };
  },
  { key: (_, { date }) => date ?? "today and tomorrow" },
);

/**
 * Runs the job that matches everyone, for today and tomorrow (UTC) or for one date.
 * @param due when the schedule wanted this run; none for one that an operator starts
 * @throws AppError 400 if the date is neither yesterday, today, nor within the next week
 */
export async function generateForAllPlayers(
  services: Services,
  date?: string,
  due: { readonly dueAt?: Date } = {},
): Promise<ChainsJobResponse> {
  const today = utcDate(services.clock.now());
  if (date !== undefined && (date < addDays(today, -DAYS_BACK) || date > addDays(today, DAYS_AHEAD))) {
    throw new AppError("game.date_not_playable");
  }
  const response = await matchAllPlayers.run(services, date === undefined ? due : { ...due, date });
  return { ...response, today, tomorrow: addDays(today, 1) };
}

/**
 * The date for which a person generates chains: today or tomorrow, in UTC or in their own time zone; today by default.
 * @throws AppError 400 for another date
 */
export async function dateToGenerate(tx: Tx, userId: string, now: Date, wanted: string | undefined): Promise<string> {
  const window = await tx
    .selectFrom("workout_windows")
    .select("timezone")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const today = dateIn(window?.timezone ?? "UTC", now);
  const utc = utcDate(now);
  const date = wanted ?? today;
  if (![today, addDays(today, 1), utc, addDays(utc, 1)].includes(date)) throw new AppError("game.date_not_playable");
  return date;
}

/** Matches the area of a person. */
export async function generateAround(
  services: Services,
  userId: string,
  date: string,
): Promise<GenerateChainsResponse> {
  const { generateChains } = await import("./generate-chains.ts");
  const { chainsCreated, squadsCreated } = await services.database.asService((tx) =>
    generateChains(tx, services.clock, { date, around: [userId] }),
  );
  await wakePushes(services);
  const message = chainsCreated === 0 ? "The chains were there already." : "The chains were generated.";
  return { success: true, message, date, chainsCreated, squadsCreated };
}
