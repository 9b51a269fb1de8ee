import { addDays, dateIn } from "@nectar/core/calendar-date";
import { currentOrNextGameDate } from "@nectar/core/game/time";
import { type JobContext, type JobResponse, runJob } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { type Generated, generateChains } from "./generate-chains.ts";

/** Milliseconds that whoever caused the matching waits for the pushes of it; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;
const JOB_PUSH_BUDGET_MS = 10_000;

/** Seconds that somebody who changed something waits for a longer run; then it is left to that run, or to the job. */
const PATIENCE_SECONDS = 5;

/** People who are matched together. */
const SLICE = 500;

/**
 * Matches anew the places where people play, or were to play, on the days that are running, today and tomorrow: after a
 * change of their windows or places was committed. What it costs does not depend on other places. Never throws: the change
 * itself has noted in private.players_to_match that they are to be matched, and what fails here `matchNoted` makes good.
 */
export async function rematchUsers(services: Services, userIds: readonly string[]): Promise<void> {
  try {
    const { told } = await matchPeople(services, userIds, PATIENCE_SECONDS);
    await deliverPushes(services, { recipients: told, budgetMs: PUSH_BUDGET_MS });
  } catch (error) {
    services.logger.warn(describeFailure(error), "matching was put off");
  }
}

/** Matches everybody who is noted and was not matched at once: another run took too long, or a process died. */
export async function rematchNoted(services: Services): Promise<JobResponse> {
  const told = new Set<string>();
  const answer = await runJob(services, { job: "rematch", key: "all" }, async ({ outOfTime }) => {
    const { chainsCreated, chainsChanged, squadsCreated, ...done } = await matchNoted(services, outOfTime);
    for (const userId of done.told) told.add(userId);
    return { chainsCreated, chainsChanged, squadsCreated };
  });
  await deliverPushes(services, { recipients: [...told], budgetMs: JOB_PUSH_BUDGET_MS });
  return answer;
}

/** As `rematchNoted`, within a job: whatever was noted while everybody was matched is made good when that is over. */
export async function matchNoted(services: Services, outOfTime: JobContext["outOfTime"]): Promise<Generated> {
  const done: Generated[] = [];
  while (!outOfTime()) {
    const { rows } = await services.database.asService((tx) =>
      sql<{ user_id: string }>`
        select distinct n.user_id
        from (select user_id from private.players_to_match order by id limit ${SLICE}) n
      `.execute(tx),
    );
    if (rows.length === 0) break;
    done.push(
      await matchPeople(
        services,
        rows.map(({ user_id }) => user_id),
      ),
    );
  }
  return sumOf(done);
}

/** Matches the places around people on all dates that matter to them, and strikes out what was noted of them before. */
async function matchPeople(
  { clock, database }: Services,
  userIds: readonly string[],
  waitSeconds?: number,
): Promise<Generated> {
  // What is noted after this is matched after this.
  const { rows: noted } = await database.asService((tx) =>
    sql<{ id: number }>`
      select id from private.players_to_match where user_id = any (${userIds}::uuid[])
    `.execute(tx),
  );
  const done: Generated[] = [];
  for (const date of await datesOf({ clock, database }, userIds)) {
    const scope = { date, around: userIds, ...(waitSeconds === undefined ? {} : { waitSeconds }) };
    done.push(await database.asService((tx) => generateChains(tx, clock, scope)));
  }
  await database.asService((tx) =>
    sql`delete from private.players_to_match where id = any (${noted.map(({ id }) => id)}::bigint[])`.execute(tx),
  );
  return sumOf(done);
}

function sumOf(runs: readonly Generated[]): Generated {
  const total = (count: (run: Generated) => number) => runs.reduce((sum, run) => sum + count(run), 0);
  return {
    chainsCreated: total(({ chainsCreated }) => chainsCreated),
    chainsChanged: total(({ chainsChanged }) => chainsChanged),
    squadsCreated: total(({ squadsCreated }) => squadsCreated),
    told: [...new Set(runs.flatMap(({ told }) => told))],
  };
}

/** The dates on which what people do now matters: in the zones of their windows, and those on which they have a row. */
async function datesOf(
  { clock, database }: Pick<Services, "clock" | "database">,
  userIds: readonly string[],
): Promise<string[]> {
  const now = clock.now();
  const { rows } = await database.asService((tx) =>
    sql<{ date: string | null; timezone: string; start: string; end: string }>`
      select null::date as date, w.timezone, w.window_start_time as "start", w.window_end_time as "end"
      from workout_windows w where w.user_id = any (${userIds}::uuid[])
      union
      select c.date, c.timezone, c.window_start_time, c.window_end_time
      from chains c where c.user_id = any (${userIds}::uuid[]) and c.window_ends_at > ${now.toISOString()}
    `.execute(tx),
  );
  const dates = rows.flatMap(({ date, timezone, start, end }) => {
    if (date !== null) return [date];
    const today = dateIn(timezone, now);
    const times = { timezone, start: start.slice(0, 5), end: end.slice(0, 5) };
    return [currentOrNextGameDate(times, now), today, addDays(today, 1)];
  });
  return [...new Set(dates)].sort();
}
