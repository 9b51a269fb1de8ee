import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { awardMonthlyDrops } from "#functions/drops/monthly";
import { reconcile } from "#functions/drops/reconciliation";
import { countLeaderboard } from "#functions/encouragement-drops/badges/leaderboard";
import { processEngagement } from "#functions/encouragement-drops/drops/engagement";
import { housekeeping } from "#functions/health/housekeeping";
import { remindToWrite } from "#functions/notifications/reminders";
import { retryPushes } from "#functions/notifications/retries";
import { executeRunningBattle } from "#functions/workout-window/battles/runs";
import { endDays } from "#functions/workout-window/days/end-of-day";
import { remindPlayers } from "#functions/workout-window/days/reminders";
import { countWeeks } from "#functions/workout-window/days/weekly-stats";
import { matchAllPlayers } from "#functions/workout-window/matching/runs";
import { drawIfChanged } from "#functions/workout-window/mosaics/runs";
import type { Services } from "#http/services/services";
import { counted, cpuTimes, share } from "./costs.ts";
import { fillPeople } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { type Run, sized } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { temporaryFileStore } from "./processes.ts";

const PEOPLE = sized(20_000, 600);
const CITIES = sized(400);
/** The Monday of the week that the jobs end, which everyone lives in UTC. */
const WEEK = "2027-01-11";
const SUNDAY = addDays(WEEK, 6);
const NEXT_DAY = addDays(WEEK, 7);

type Results = Readonly<Record<string, unknown>> | undefined;

/** A job that has something to do for everyone at a moment. */
interface JobRun {
  readonly what: string;
  readonly at: string;
  readonly run: (services: Services) => Promise<Results>;
  /** The count by which the job says for how many it did something. */
  readonly count: string;
}

const resultsOf =
  (job: { run: (services: Services) => Promise<{ results?: Results }> }) =>
  async (services: Services): Promise<Results> =>
    (await job.run(services)).results;

/** In the order of the calendar, because each needs what those before it have written. */
const RUNS: readonly JobRun[] = [
  {
    what: "engagement: a drop for each, half with success",
    at: `${SUNDAY}T12:00:00Z`,
    run: resultsOf(processEngagement),
    count: "engaged",
  },
  { what: "leaderboard", at: `${SUNDAY}T12:01:00Z`, run: resultsOf(countLeaderboard), count: "" },
  {
    what: "chains of a date",
    at: `${SUNDAY}T12:04:00Z`,
    run: async (services) => (await matchAllPlayers.run(services, { date: NEXT_DAY })).results,
    count: "chainsCreated",
  },
  { what: "battle of a week", at: `${SUNDAY}T23:00:00Z`, run: resultsOf(executeRunningBattle), count: "" },
  { what: "end of a day", at: `${NEXT_DAY}T00:02:00Z`, run: resultsOf(endDays), count: "closed" },
  {
    what: "weekly stats, counted already at the end of the day",
    at: `${NEXT_DAY}T00:03:00Z`,
    run: resultsOf(countWeeks),
    count: "",
  },
  {
    what: "mosaic of a date",
    at: `${NEXT_DAY}T00:59:00Z`,
    run: async (services) => ({ ...(await drawIfChanged(services, SUNDAY)) }),
    count: "",
  },
  { what: "check-in reminders", at: `${NEXT_DAY}T17:40:00Z`, run: resultsOf(remindPlayers), count: "reminded" },
  { what: "journal reminders", at: `${NEXT_DAY}T20:00:00Z`, run: resultsOf(remindToWrite), count: "reminded" },
  { what: "pushes, without encryption", at: `${NEXT_DAY}T20:05:00Z`, run: sendPushes, count: "" },
  { what: "monthly drops", at: "2027-02-01T00:00:00Z", run: resultsOf(awardMonthlyDrops), count: "awarded" },
  { what: "drops reconciliation", at: "2027-02-01T03:40:00Z", run: resultsOf(reconcile), count: "" },
  {
    what: "housekeeping: a notification of each ends",
    at: "2027-02-01T04:17:00Z",
    run: resultsOf(housekeeping),
    count: "notifications",
  },
];

/** What each job costs for a thousand people. */
export async function jobCosts(run: Run) {
  run.note(`filling a database with ${PEOPLE} people for the jobs`);
  await using store = await temporaryFileStore();
  const database = await filledDatabase(run, "jobs", fillJobs);
  const costs = [];
  for (const { what, at, run: work, count } of RUNS) {
    run.note(what);
    const { result, risen } = await counted(database, async () => {
      await using services = servicesOn(database, store.environment, () => new Date(at));
      let results: Results;
      const cpu = await cpuTimes(database, nodeMs, async () => {
        results = await work(services);
      });
      return { cpu, results };
    });
    const expected = count === "engaged" ? PEOPLE / 2 : PEOPLE;
    if (count !== "" && result.results?.[count] !== expected) {
      throw new Error(`${what}: ${JSON.stringify(result.results)}`);
    }
    costs.push({ what, ...share({ ...result.cpu, ...risen }, 1_000 / PEOPLE) });
  }
  return costs;
}

function nodeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Delivers all pushes that the other jobs have queued, to a push service that accepts each at once. */
async function sendPushes(services: Services): Promise<Results> {
  const push = { publicKey: "", accepts: () => true, send: async () => "sent" as const };
  return { ...(await retryPushes.run({ ...services, push })).results };
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
