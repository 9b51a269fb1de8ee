import { addDays, dateIn } from "@nectar/core/calendar-date";
import { currentOrNextGameDate } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import { runAsService } from "@nectar/database/retry";
import { type JobContext, job } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";
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
    const { clock, database } = services;
    const matching: Matching = { clock, transaction: (work) => runAsService(database, work) };
    const { notified } = await matchPeople(matching, userIds, PATIENCE_SECONDS);
    await deliverPushes(services, { recipients: notified, budgetMs: PUSH_BUDGET_MS });
  } catch (error) {
    services.logger.warn(describeFailure(error), "matching was put off");
  }
}

/** Matches everybody who is noted and was not matched at once: another run took too long, or a process died. */
export const rematchNoted = job(scheduleOf("rematch"), async (context) => {
  const { notified, ...counts } = await matchNoted(context);
  await deliverPushes(context.services, { recipients: notified, budgetMs: JOB_PUSH_BUDGET_MS });
  return counts;
});

/** As `rematchNoted`, within a job: whatever was noted while everybody was matched is made good when that is over. */
export async function matchNoted({ services: { clock }, transaction, outOfTime }: JobContext): Promise<Generated> {
  const done: Generated[] = [];
  for (;;) {
    const rows = await transaction(
      (tx) =>
        all<{ user_id: string }>(tx)`
        select distinct n.user_id
        from (select user_id from private.players_to_match order by id limit ${SLICE}) n
      `,
    );
    if (rows.length === 0 || outOfTime()) return sumOf(done);
    const people = rows.map(({ user_id }) => user_id);
    done.push(await matchPeople({ clock, transaction }, people));
  }
}

/** What matching needs. */
interface Matching extends Pick<Services, "clock">, Pick<JobContext, "transaction"> {}

/** Matches the places around people on all dates that matter to them, and strikes out what was noted of them before. */
async function matchPeople(
  { clock, transaction }: Matching,
  userIds: readonly string[],
  waitSeconds?: number,
): Promise<Generated> {
  // What is noted after this is matched after this.
  const noted = await transaction(
    (tx) =>
      all<{ id: number }>(tx)`
      select id from private.players_to_match where user_id = any (${userIds}::uuid[])
    `,
  );
  const done: Generated[] = [];
  const now = clock.now();
  for (const date of await transaction((tx) => datesOf(tx, userIds, now))) {
    const scope = { date, around: userIds, ...(waitSeconds === undefined ? {} : { waitSeconds }) };
    done.push(await transaction((tx) => generateChains(tx, clock, scope)));
  }
  await transaction((tx) =>
    sql`delete from private.players_to_match where id = any (${noted.map(({ id }) => id)}::bigint[])`.execute(tx),
  );
  return sumOf(done);
}

/** What several runs did together. */
export function sumOf(runs: readonly Generated[]): Generated {
  const total = (count: (run: Generated) => number) => runs.reduce((sum, run) => sum + count(run), 0);
  return {
    chainsCreated: total(({ chainsCreated }) => chainsCreated),
    chainsChanged: total(({ chainsChanged }) => chainsChanged),
    squadsCreated: total(({ squadsCreated }) => squadsCreated),
    notified: [...new Set(runs.flatMap(({ notified }) => notified))],
  };
}

/** The dates on which what people do now matters: in the zones of their windows, and those on which they have a row. */
async function datesOf(tx: Tx, userIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await all<{ date: string | null; timezone: string; start: string; end: string }>(tx)`
    select null::date as date, w.timezone, w.window_start_time as "start", w.window_end_time as "end"
    from workout_windows w where w.user_id = any (${userIds}::uuid[])
    union
    select c.date, c.timezone, c.window_start_time, c.window_end_time
    from chains c where c.user_id = any (${userIds}::uuid[]) and c.window_ends_at > ${now.toISOString()}
  `;
  const dates = rows.flatMap(({ date, timezone, start, end }) => {
    if (date !== null) return [date];
    const today = dateIn(timezone, now);
    const times = { timezone, start: start.slice(0, 5), end: end.slice(0, 5) };
    return [currentOrNextGameDate(times, now), today, addDays(today, 1)];
  });
  return [...new Set(dates)].sort();
}
