import { beforeEach, describe, expect, it } from "vitest";
import { routeToGroups } from "#functions/all";
import { SCHEDULES } from "#functions/schedules";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { job } from "#http/jobs/jobs";
import { createScheduler } from "#ops/server/scheduler";
import { useApi } from "#tests/api";

const secrets = Object.fromEntries(SCHEDULES.map(({ secret }) => [secret, "only-the-scheduler-knows"]));
// One connection suffices: no job keeps one while it uses another.
const environment = { ...secrets, S3_BUCKET: "none", S3_ENDPOINT: "http://127.0.0.1:9", DATABASE_POOL_SIZE: "1" };
const api = useApi({ environment });
const HOURLY = {
  name: "an-hourly-job",
  cron: "cron(17 * * * ? *)",
  method: "POST",
  path: "/health/cron/hourly",
  secret: "MAINTENANCE_CRON_SECRET",
  budgetSeconds: 40,
} as const;

beforeEach(() => api.query`truncate private.job_runs`);

/** A scheduler of the job above, whose runs do `work`. */
function hourly(work: () => Promise<object> = async () => ({})) {
  const times: string[] = [];
  const hourlyJob = job(HOURLY, async ({ now }) => {
    times.push(now.toISOString().slice(11, 16));
    await work();
    return {};
  });
  const { fetch } = groupApp(api.services, "jobs", [
    jobEndpoint(hourlyJob, { id: "runHourly", summary: "Do nothing" }),
  ]);
  const scheduler = createScheduler({ schedules: [HOURLY], fetch, services: api.services, maxJobs: 2 });
  return {
    times,
    /** Lets the scheduler look at the clock at these times. */
    async tickAt(...clock: string[]) {
      for (const time of clock) {
        api.at(`2026-11-22T${time}:00Z`);
        scheduler.tick();
        await scheduler.idle();
      }
      return times;
    },
  };
}

describe("the scheduler", () => {
  it("runs a job once for each due time", async () => {
    const { tickAt } = hourly();
    expect(await tickAt("10:17", "10:18", "10:40", "11:16", "11:17", "11:18")).toEqual(["10:17", "11:17"]);
    expect(await api.query`select due_at::text, succeeded from private.job_runs order by due_at`).toEqual([
      { due_at: "2026-11-22 10:17:00+00", succeeded: true },
      { due_at: "2026-11-22 11:17:00+00", succeeded: true },
    ]);
  });

  it("starts what was missed within the last hour, once, and nothing older", async () => {
    expect(await hourly().tickAt("10:50", "10:51")).toEqual(["10:50"]);
    const daily = { ...HOURLY, cron: "cron(0 9 * * ? *)" };
    const calls: string[] = [];
    const late = createScheduler({
      schedules: [daily],
      fetch: ({ url }) => {
        calls.push(url);
        return Response.json({ success: true, message: "done" });
      },
      services: api.services,
      maxJobs: 2,
    });
    api.at("2026-11-22T10:01:00Z");
    late.tick();
    api.at("2026-11-22T10:00:00Z");
    late.tick();
    await late.idle();
    expect(calls).toEqual(["http://schedule.invalid/health/cron/hourly"]);
  });

  it("does nothing for a due time that another scheduler has served", async () => {
    const [first, second] = [hourly(), hourly()];
    await first.tickAt("10:17");
    expect(await second.tickAt("10:17", "10:18", "11:17")).toEqual(["11:17"]);
    expect(await first.tickAt("11:18")).toEqual(["10:17"]);
  });

  it("serves each due time once if several schedulers start at the same moment", async () => {
    const schedulers = Array.from({ length: 4 }, () => hourly());
    for (const time of ["10:17", "10:18", "10:19"]) await Promise.all(schedulers.map(({ tickAt }) => tickAt(time)));
    expect(schedulers.flatMap(({ times }) => times)).toEqual(["10:17"]);
  });

  it("tries a failed run twice more, later each time, and then waits for the next due time", async () => {
    const { tickAt } = hourly(() => Promise.reject(new Error("broken")));
    const minutes = Array.from({ length: 40 }, (_, minute) => `10:${minute + 17}`);
    expect(await tickAt(...minutes)).toEqual(["10:17", "10:18", "10:20"]);
    expect(await tickAt("11:17")).toHaveLength(4);
    expect(api.logged()).not.toContain("broken");
  });

  it("takes over from a process that died during a run", async () => {
    await api.query`insert into private.job_runs (job, key, due_at) values (${HOURLY.name}, 'all', '2026-11-22T10:17Z')`;
    expect(await hourly().tickAt("10:18", "10:19")).toEqual(["10:18"]);
  });

  it("waits while another process still runs the job", async () => {
    const release = Promise.withResolvers<object>();
    const slow = hourly(() => release.promise);
    api.at("2026-11-22T10:17:00Z");
    const running = slow.tickAt("10:17");
    await expect.poll(() => slow.times).toEqual(["10:17"]);
    const other = hourly();
    expect(await other.tickAt("10:17", "10:18")).toEqual([]);
    release.resolve({});
    await running;
    expect(await other.tickAt("10:19", "10:20")).toEqual([]);
  });
});

it("the scheduler runs every job of the table through its route, with one connection", async () => {
  const failures: string[] = [];
  const fetch = routeToGroups(api.services);
  for (const schedule of SCHEDULES) {
    api.at(new Date());
    const every: typeof schedule = Object.assign({}, schedule, { cron: "cron(* * * * ? *)" });
    const scheduler = createScheduler({ schedules: [every], fetch, services: api.services, maxJobs: 1 });
    scheduler.tick();
    await scheduler.idle();
    const [run] = await api.query`select succeeded from private.job_runs where job = ${schedule.name}`;
    if (run?.succeeded !== true) failures.push(schedule.name);
  }
  expect(failures).toEqual([]);
});
