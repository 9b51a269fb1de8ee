import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { awardMonthlyDrops } from "#functions/drops/monthly";
import { reconcile } from "#functions/drops/reconciliation";
import { countLeaderboard } from "#functions/encouragement-drops/badges/leaderboard";
import { processEngagement } from "#functions/encouragement-drops/drops/engagement";
import { executeRunningBattle } from "#functions/game/battles/runs";
import { endDays } from "#functions/game/days/end-of-day";
import { remindPlayers } from "#functions/game/days/reminders";
import { countWeeks } from "#functions/game/days/weekly-stats";
import { matchAllPlayers } from "#functions/game/matching/runs";
import { drawIfChanged } from "#functions/game/mosaics/runs";
import { housekeeping } from "#functions/health/housekeeping";
import { remindToWrite } from "#functions/notifications/reminders";
import { retryPushes } from "#functions/notifications/retries";
import type { Services } from "#http/services/services";
import { startPostgres } from "#local/database/postgres";
import { createMigratedDatabase, type TestDatabase } from "#local/database/test-cluster";
import { LOCAL_DATABASE_PASSWORD } from "#local/settings/local-defaults";
import { freePort } from "#local/support/ports";
import { counted, cpuOfRequests, cpuTimes, share } from "./costs.ts";
import { MIXED_REQUESTS, mixedRequests } from "./crowds.ts";
import { fillGame, fillMixed, fillPeople } from "./data.ts";
import { CONNECTIONS, environmentOf, filledDatabase, servicesOn } from "./databases.ts";
import { type Figure, type Run, sized } from "./figures.ts";
import { HOT_WRITES } from "./hot-writes.ts";
import { type LoadOptions, load } from "./load.ts";
import { startServer, temporaryFileStore } from "./processes.ts";
import { requestsOfWriters, writersDatabase } from "./writes.ts";

const REQUESTS = sized(2_000, 3 * CONNECTIONS);
/** Before the measurement, so that caches and plans are filled. */
const WARMING = sized(800, CONNECTIONS);
const PEOPLE = sized(20_000, 600);
const CITIES = sized(400);
/** The Monday of the week that the jobs end, which everyone lives in UTC. */
const WEEK = "2027-01-11";
const SUNDAY = addDays(WEEK, 6);
const NEXT_DAY = addDays(WEEK, 7);

/**
 * What a request of each endpoint of `mixed` and of each frequent write costs, and what the jobs cost for a thousand people, on
 * a server whose commits survive a power cut. `docs/scale.md` does its arithmetic with this.
 */
export async function capacityFigures(run: Run): Promise<Figure[]> {
  const server = await startPostgres({
    dataFolder: await mkdtemp(join(tmpdir(), "nectar-bench-")),
    port: await freePort(),
    password: LOCAL_DATABASE_PASSWORD,
    durability: "durable",
  });
  try {
    const { name } = await createMigratedDatabase(server, "nectar_template");
    const cluster = { port: server.port, adminUrl: server.urlOf("postgres"), template: name };
    const durable = { ...run, cluster };
    run.show("a request", [...(await endpointCosts(durable)), ...(await writeCosts(durable))]);
    run.show("a thousand people", await jobCosts(durable));
    return [];
  } finally {
    await server.stop();
  }
}

async function endpointCosts(run: Run) {
  const database = await filledDatabase(run, "mixed", fillMixed);
  const costs = [];
  for (const [index, { method, path }] of MIXED_REQUESTS.entries()) {
    const what = `${method} ${path}`;
    run.note(what);
    const requests = await mixedRequests(CONNECTIONS, MIXED_REQUESTS.slice(index, index + 1));
    costs.push({ what, ...(await requestCost(database, requests, requests)) });
  }
  return costs;
}

/** Each person writes once. */
async function writeCosts(run: Run) {
  const database = await writersDatabase(run, WARMING + REQUESTS);
  const costs = [];
  for (const write of HOT_WRITES) {
    run.note(write.name);
    const warming = await requestsOfWriters(write, 1, WARMING);
    const measured = await requestsOfWriters(write, 1 + WARMING, REQUESTS);
    costs.push({ what: write.name, ...(await requestCost(database, warming, measured, "./no-photo-work.ts")) });
  }
  return costs;
}

type Requests = LoadOptions["requestsOf"];

/** What a request costs: CPU time once caches and plans are filled, and rows and bytes. */
async function requestCost(
  database: TestDatabase,
  warming: Requests,
  measured: Requests,
  preload?: "./no-photo-work.ts",
) {
  const environment = { ...environmentOf(database), ...(preload === undefined ? {} : { S3_BUCKET: "bench" }) };
  const { result, risen } = await counted(database, async () => {
    await using api = await startServer("api", environment, preload);
    const send = (requests: number, requestsOf: Requests) =>
      load(api.url, { connections: CONNECTIONS, until: { requests }, requestsOf });
    await send(WARMING, warming);
    return await cpuOfRequests(database, api, () => send(REQUESTS, measured));
  });
  return { ...share([result.cpu], 1), ...share([risen], 1 / (WARMING + REQUESTS)) };
}

type Results = Readonly<Record<string, unknown>> | undefined;

/** A job that has something to do for everyone: what it does, when, and the count of those for whom it did something. */
type JobRun = readonly [what: string, at: string, run: (services: Services) => Promise<Results>, count?: string];

const resultsOf =
  (job: { run: (services: Services) => Promise<{ results?: Results }> }) =>
  async (services: Services): Promise<Results> =>
    (await job.run(services)).results;

const matchNextDay = async (services: Services) => (await matchAllPlayers.run(services, { date: NEXT_DAY })).results;
const drawSunday = async (services: Services) => ({ ...(await drawIfChanged(services, SUNDAY)) });

/** In the order of the calendar, because each needs what those before it have written. */
const RUNS: readonly JobRun[] = [
  ["engagement: a drop for each, half with success", `${SUNDAY}T12:00:00Z`, resultsOf(processEngagement), "engaged"],
  ["leaderboard", `${SUNDAY}T12:01:00Z`, resultsOf(countLeaderboard)],
  ["chains of a date", `${SUNDAY}T12:04:00Z`, matchNextDay, "chainsCreated"],
  ["battle of a week", `${SUNDAY}T23:00:00Z`, resultsOf(executeRunningBattle)],
  ["end of a day", `${NEXT_DAY}T00:02:00Z`, resultsOf(endDays), "closed"],
  ["weekly stats, counted already at the end of the day", `${NEXT_DAY}T00:03:00Z`, resultsOf(countWeeks)],
  ["mosaic of a date", `${NEXT_DAY}T00:59:00Z`, drawSunday],
  ["check-in reminders", `${NEXT_DAY}T17:40:00Z`, resultsOf(remindPlayers), "reminded"],
  ["journal reminders", `${NEXT_DAY}T20:00:00Z`, resultsOf(remindToWrite), "reminded"],
  ["pushes, without encryption", `${NEXT_DAY}T20:05:00Z`, sendPushes],
  ["monthly drops", "2027-02-01T00:00:00Z", resultsOf(awardMonthlyDrops), "awarded"],
  ["drops reconciliation", "2027-02-01T03:40:00Z", resultsOf(reconcile)],
  ["housekeeping: a notification of each ends", "2027-02-01T04:17:00Z", resultsOf(housekeeping), "notifications"],
];

/** Measures the cost of each job for a thousand people. */
async function jobCosts(run: Run) {
  await using store = await temporaryFileStore();
  const database = await filledDatabase(run, "jobs", fillJobs);
  const costs = [];
  for (const [what, at, work, count] of RUNS) {
    run.note(what);
    const { result, risen } = await counted(database, async () => {
      await using services = servicesOn(database, store.environment, () => new Date(at));
      return await cpuTimes(database, nodeMs, () => work(services));
    });
    const expected = count === "engaged" ? PEOPLE / 2 : PEOPLE;
    if (count !== undefined && result.result?.[count] !== expected) {
      throw new Error(`${what}: ${JSON.stringify(result.result)}`);
    }
    costs.push({ what, ...share([{ ...result.cpu, ...risen }], 1_000 / PEOPLE) });
  }
  return costs;
}

function nodeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Delivers all pushes that the other jobs have queued, to a push service that accepts each at once. */
async function sendPushes(services: Services): Promise<Results> {
  const web = { publicKey: "", accepts: () => true, send: async () => ({ outcome: "sent" }) as const };
  return { ...(await retryPushes.run({ ...services, push: { ...services.push, web } })).results };
}

/** Two weeks of the game, a drop, a badge, a journal reminder and an old notification of each. */
async function fillJobs(client: pg.ClientBase): Promise<void> {
  await fillPeople(client, PEOPLE, 50);
  await fillGame(client, { date: SUNDAY, start: "18:00", daysBefore: 13 });
  await client.query(
    `update nectar.user_locations l set city = 'City ' || p.n % ${CITIES} from people p where p.id = l.user_id;
     insert into private.player_areas (user_id, area_key)
     select l.user_id, private.area_key(l.city, null, 'UTC') from nectar.user_locations l;
     insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     select id, 'https://push.bench.test/' || n, repeat('p', 87), repeat('a', 22) from people;
     insert into nectar.team_colors (user_id, week_start_date, color) select id, '${WEEK}', color from players;
     insert into nectar.battles (week_start_date, battle_status) values ('${WEEK}', 'in_progress');
     insert into nectar.notification_settings
       (user_id, reminder_time, reminder_weekdays, reminder_only_if_not_written, reminder_due_at)
     select id, '20:00', '{1,2,3,4,5,6,7}', false, '-infinity' from people;
     insert into nectar.user_badges (user_id, total_drops_sent, run_days, last_sent_on)
     select id, 1, 1, '${SUNDAY}' from people;
     insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
     select s.id, r.id, 'Well done', true, '${SUNDAY}', '${SUNDAY}T10:00:00Z', '${NEXT_DAY}T10:00:00Z'
     from people s join people r on r.n = 1 + s.n % ${PEOPLE};
     insert into nectar.journal_entries (user_id, title, created_at, metadata_audience_id, content_audience_id)
     select id, 'Bench', '${SUNDAY}T11:00:00Z', id, id from people where n % 2 = 0;
     insert into nectar.notifications (user_id, type, created_at, read_at)
     select id, 'drop_received', now() - interval '500 days', now() - interval '499 days' from people`,
  );
}
