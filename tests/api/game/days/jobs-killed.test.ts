import { expect, it } from "vitest";
import { BATCH as DAYS } from "#functions/game/days/end-of-day";
import { useApi } from "#tests/api";
import { whileOverlapping } from "#tests/claims";
import { useFileStore } from "#tests/file-store";
import { asSuperuser } from "#tests/people";
import { CRON_SECRET, runGameJob } from "../chain-scene.ts";
import { crowd } from "../game-days.ts";

/*
 * A process that dies takes its connections with it, wherever it is. Each job is killed in its second batch: the first one is
 * done, the second is not, and several runs at the same time make the whole of it. Matching and the check-ins of synthetic
 * users are killed beside their other tests.
 */

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET, ...(await useFileStore()) } });
const DATE = "2026-11-18";
/** People of a batch of the other jobs. */
const BATCH = 5_000;
/** People of the second batch. */
const MORE = 1_000;
const PEOPLE = BATCH + MORE;

async function play(people: number): Promise<void> {
  await api.query(
    `truncate nectar.mosaics, nectar.battles, nectar.workout_checkins, nectar.chains, private.open_days, nectar.team_colors,
       nectar.weekly_workout_stats, private.game_notices, nectar.notifications cascade`,
  );
  await withoutTriggers("delete from nectar.profiles where full_name like 'Player %'");
  await crowd(api, people, DATE);
  await withoutTriggers(
    `update nectar.chains c set after_user_id = n.next
     from (
       select user_id, coalesce(lead(user_id) over (order by user_id), min(user_id::text) over ()::uuid) as next
       from nectar.chains
     ) n
     where n.user_id = c.user_id`,
  );
}

/** Writes rows of thousands of people, whose triggers would take longer than the tests. */
async function withoutTriggers(statement: string): Promise<void> {
  await asSuperuser(api.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(statement);
  });
}

const run = (job: string) => runGameJob(api, job);

/** Stops the statement that brings the table above one batch, ends every connection of the API, and releases it. */
async function killed(job: string, table: string, batch: number): Promise<void> {
  await api.query(`create function private.hold() returns trigger language plpgsql as
    $$ begin if (select count(*) from ${table}) > ${batch} then perform pg_sleep(60); end if; return null; end $$`);
  await api.query(`create trigger hold after insert on ${table} for each statement execute function private.hold()`);
  try {
    const running = run(job);
    const held = "datname = current_database() and usename = 'nectar_api' and wait_event = 'PgSleep'";
    while ((await api.query(`select from pg_stat_activity where ${held}`)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await api.query`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and usename = 'nectar_api'`;
    const { status } = await running;
    // The mosaic is not drawn by the job, but by the task that it queued.
    if (job === "mosaics") expect(api.logged()).toContain("task failed");
    else expect(status).toBeGreaterThanOrEqual(500);
  } finally {
    await api.query(`drop trigger hold on ${table}`);
    await api.query("drop function private.hold");
  }
}

const MESSAGES =
  "select type, count(*)::integer as n, count(distinct user_id)::integer as people from nectar.notifications group by 1";
const sentTo = (people: number, type: string) => ({ type, n: people, people });

it.each([
  {
    job: "reminders",
    at: `${DATE}T11:45:00Z`,
    table: "nectar.notifications",
    outcome: MESSAGES,
    half: [sentTo(BATCH, "checkin_reminder")],
    whole: [sentTo(PEOPLE, "checkin_reminder")],
  },
  {
    job: "end-of-day",
    at: "2026-11-19T00:00:00Z",
    table: "nectar.notifications",
    outcome: `select (select count(*)::integer from private.open_days) as open, sent.* from (${MESSAGES}) sent`,
    batch: DAYS,
    half: [{ open: MORE, ...sentTo(DAYS, "chain_broken") }],
    whole: [{ open: 0, ...sentTo(DAYS + MORE, "chain_broken") }],
  },
  {
    job: "battle",
    at: "2026-11-22T23:00:00Z",
    table: "nectar.notifications",
    outcome: `select b.battle_status, (select count(*)::integer from private.battle_announcements) as waiting, sent.*
      from nectar.battles b cross join (${MESSAGES}) sent`,
    half: [{ battle_status: "completed", waiting: 1, ...sentTo(BATCH, "battle_results") }],
    whole: [{ battle_status: "completed", waiting: 0, ...sentTo(PEOPLE, "battle_results") }],
  },
  {
    job: "weekly-stats",
    at: "2026-11-23T00:00:00Z",
    table: "nectar.weekly_workout_stats",
    outcome: `select days_planned, failed_count, count(*)::integer as n from nectar.weekly_workout_stats group by 1, 2`,
    half: [{ days_planned: 1, failed_count: 1, n: BATCH }],
    whole: [{ days_planned: 1, failed_count: 1, n: PEOPLE }],
  },
  {
    job: "mosaics",
    at: `${DATE}T13:00:00Z`,
    table: "nectar.mosaic_sections",
    outcome: `select m.pending_count, (select count(*)::integer from nectar.mosaic_sections) as sections from nectar.mosaics m`,
    half: [],
    whole: [{ pending_count: PEOPLE, sections: PEOPLE }],
  },
])(
  "$job, killed and then run several times in parallel, has one result",
  async ({ job, at, table, outcome, batch = BATCH, half, whole }) => {
    await play(batch + MORE);
    api.at(at);
    await killed(job, table, batch);
    expect(await api.query(outcome)).toEqual(half);
    const responses = await whileOverlapping(api, () => Promise.all(Array.from({ length: 4 }, () => run(job))));
    expect(responses.map(({ status, body }) => [status, body.code ?? body.success])).toEqual(
      responses.map(() => [200, true]),
    );
    expect(await api.query(outcome)).toEqual(whole);
    expect((await run(job)).status).toBe(200);
    expect(await api.query(outcome)).toEqual(whole);
  },
);
