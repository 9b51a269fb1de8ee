import { sql } from "kysely";
import { currentOrNextGameDate, toMinutes } from "#core/game/time";
import { addDays, dateIn } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import { runAsService } from "#database/retry";
import { type JobContext, job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { scheduleOf } from "../../schedules.ts";
import type { Generated } from "./generate-chains.ts";

/** Seconds that a request waits for another run of the same week; then the matching is left to the job. */
const REQUEST_WAIT_SECONDS = 5;

/** People who are matched together. */
const BATCH = 500;

/**
 * Matches the areas of people again, on current dates, today and tomorrow, after a change of their windows or locations was
 * committed. The cost does not depend on other areas. Never throws: the change itself queued them in
 * private.players_to_match, and if this fails, `rematchQueued` matches them.
 */
export async function rematchUsers(services: Services, userIds: readonly string[]): Promise<void> {
  try {
    const { clock, database } = services;
    const matching: Matching = { clock, transaction: (work) => runAsService(database, work) };
    await matchPeople(matching, userIds, REQUEST_WAIT_SECONDS);
    await wakePushes(services);
  } catch (error) {
    services.logger.warn(describeFailure(error), "matching was put off");
  }
}

/** Matches everyone who is queued and was not matched immediately: another run took too long, or a process died. */
export const rematchQueued = job(scheduleOf("rematch"), async (context) => {
  const generated = await matchQueued(context);
  await wakePushes(context.services);
  return { ...generated };
});

/** Does the work of `rematchQueued` within a job. */
export async function matchQueued({ services: { clock }, transaction, outOfTime }: JobContext): Promise<Generated> {
  const done: Generated[] = [];
  for (;;) {
    const rows = await transaction((tx) =>
      tx.selectFrom("private.players_to_match").select("user_id").orderBy("id").limit(BATCH).execute(),
    );
    if (rows.length === 0 || outOfTime()) return sumOf(done);
    const people = [...new Set(rows.map(({ user_id }) => user_id))];
    done.push(await matchPeople({ clock, transaction }, people));
  }
}

interface Matching extends Pick<Services, "clock">, Pick<JobContext, "transaction"> {}

/** Matches the areas around people on all dates that matter to them, and removes them from the queue. */
async function matchPeople(
  { clock, transaction }: Matching,
  userIds: readonly string[],
  waitSeconds?: number,
): Promise<Generated> {
  // Rows that are queued after this are matched by a later run.
  const queued = await transaction((tx) =>
    tx
      .selectFrom("private.players_to_match")
      .select("id")
      .where("user_id", "=", sql<string>`any (${userIds}::uuid[])`)
      .execute(),
  );
  // Loaded on use here and in runs.ts, because most requests of the game match no one.
  const { generateChains } = await import("./generate-chains.ts");
  const done: Generated[] = [];
  const now = clock.now();
  for (const date of await transaction((tx) => datesOf(tx, userIds, now))) {
    const scope = { date, around: userIds, ...(waitSeconds === undefined ? {} : { waitSeconds }) };
    done.push(await transaction((tx) => generateChains(tx, clock, scope)));
  }
  await transaction((tx) =>
    sql`delete from private.players_to_match where id = any (${queued.map(({ id }) => id)}::bigint[])`.execute(tx),
  );
  return sumOf(done);
}

/** The sum of several runs. */
export function sumOf(runs: readonly Generated[]): Generated {
  const total = (count: (run: Generated) => number) => runs.reduce((sum, run) => sum + count(run), 0);
  return {
    chainsCreated: total(({ chainsCreated }) => chainsCreated),
    chainsChanged: total(({ chainsChanged }) => chainsChanged),
    squadsCreated: total(({ squadsCreated }) => squadsCreated),
  };
}

/** The dates that a change now can affect: by the time zones of their windows, and those on which people have a row. */
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
    const times = { timezone, start: toMinutes(start), end: toMinutes(end) };
    return [currentOrNextGameDate(times, now), today, addDays(today, 1)];
  });
  return [...new Set(dates)].sort();
}
