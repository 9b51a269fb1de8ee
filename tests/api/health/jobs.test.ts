import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { SCHEDULES } from "#functions/schedules";
import { useApi } from "#tests/api";
import { expireAllClaims } from "#tests/claims";
import { beforeTests } from "#tests/prepare";

const CRON_SECRET = "a-cron-secret-of-the-tests-of-late-jobs";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: CRON_SECRET } });
const admin = beforeTests(() => api.person({ role: "admin" }));
const ADMIN = "/api/admin/jobs";
const HEALTH = "/health/jobs";
const NAMES = SCHEDULES.map(({ name }) => name);
const NOW = new Date("2027-06-15T12:00:00Z");

let minutes = 0;
beforeEach(async () => {
  await api.query`truncate private.job_runs, private.jobs`;
  passMinute();
});

/** Moves the clock of the API on, so that an earlier result does not count any more. */
function passMinute(): void {
  minutes += 1;
  api.at(new Date(NOW.getTime() + minutes * 60_000));
}

/** All jobs have been known for a year, and succeeded an hour ago, except for some. */
async function succeeded(except: readonly string[] = []): Promise<void> {
  await api.query`insert into private.jobs (name, known_since) select unnest(${NAMES}::text[]), '2026-06-15'`;
  await api.query`
    insert into private.job_runs (job, key, started_at, finished_at, succeeded, results)
    select n, 'all', '2027-06-15T12:00:00Z', '2027-06-15T12:00:01Z', true, '{"done": 1}'
    from unnest(${NAMES.filter((name) => !except.includes(name))}::text[]) n`;
}

const stateOf = async (name: string) => {
  const { jobs } = await api.get(ADMIN, admin).ok();
  return jobs.find((job) => job.name === name);
};

describe("GET /health/jobs", () => {
  it("is ok while no job is late, without any sign-in", async () => {
    await succeeded();
    expect(await api.get(HEALTH).ok()).toEqual({ status: "ok", late: [], waiting: [] });
  });

  it.each([[["mosaics"]], [["housekeeping", "mosaics"]]])("is 503 with the names of the late jobs %j", async (late) => {
    await succeeded(late);
    const problem = { error: "Scheduled jobs are late.", code: "service.jobs_late", late, waiting: [] };
    expect(await api.get(HEALTH).refused(503, "service.jobs_late")).toEqual(problem);
  });

  it("is ok on a fresh installation, until its jobs have been known for three periods", async () => {
    await api.get(HEALTH).ok();
    await api.query`update private.jobs set known_since = '2027-06-01'`;
    passMinute();
    const { text } = await api.get(HEALTH);
    expect(text).toContain("housekeeping");
    // It runs on Sundays.
    expect(text).not.toContain("battle");
  });

  it("asks the database once for many requests at the same time", async () => {
    await succeeded();
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.get(HEALTH)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await api.query`delete from private.job_runs`;
    await api.get(HEALTH).ok();
    passMinute();
    await api.get(HEALTH).refused(503);
  });

  it("is logged only if something is late", async () => {
    await succeeded();
    const requestId = randomUUID();
    await api.send("GET", HEALTH, { headers: { "x-request-id": requestId } }).ok();
    expect(api.logged()).not.toContain(requestId);
  });
});

describe("GET /api/admin/jobs", () => {
  it("lists every scheduled job with its last runs, or as one that never ran", async () => {
    const never = { last_started_at: null, last_succeeded_at: null, running: false, late: false, last_results: null };
    expect(await stateOf("battle")).toEqual({ name: "battle", schedule: "cron(0 23 ? * SUN *)", ...never });
    await api.query`truncate private.jobs`;
    await succeeded(["housekeeping"]);
    await api.query`
      insert into private.job_runs (job, key, started_at, finished_at, succeeded, results)
      values ('housekeeping', 'all', '2027-06-15T11:17:00Z', '2027-06-15T11:17:02Z', false, '{}')`;
    const { jobs } = await api.get(ADMIN, admin).ok();
    expect(jobs.map(({ name }) => name)).toEqual(NAMES);
    const failed = { last_started_at: "2027-06-15T11:17:00.000Z", late: true, last_results: {} };
    expect(jobs[0]).toEqual({ ...never, ...failed, name: "housekeeping", schedule: "cron(17 * * * ? *)" });
    const done = { last_succeeded_at: "2027-06-15T12:00:01.000Z", late: false, last_results: { done: 1 } };
    expect(await stateOf("engagement")).toMatchObject(done);
  });

  it("says that a job is running while its claim lasts, and not if its process died", async () => {
    await api.query`insert into private.job_runs (job, key) values ('engagement', 'all')`;
    expect((await stateOf("engagement"))?.running).toBe(false);
    await api.query`insert into private.work (kind, key, claim, due_at)
      values ('job engagement', 'all', gen_random_uuid(), now() + '1 hour')`;
    expect((await stateOf("engagement"))?.running).toBe(true);
    expect((await stateOf("mosaics"))?.running).toBe(false);
    await expireAllClaims(api);
    expect((await stateOf("engagement"))?.running).toBe(false);
  });

  it("shows a run of the scheduler", async () => {
    await api.post("/health/cron/housekeeping", undefined, {}, { "x-cron-secret": CRON_SECRET }).ok();
    const state = await stateOf("housekeeping");
    expect(state?.last_succeeded_at).not.toBeNull();
    expect(state?.last_results).toMatchObject({ job_runs: 0 });
  });
});
