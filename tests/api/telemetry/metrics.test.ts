import { describe, expect, it } from "vitest";
import { job } from "#http/jobs/jobs";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const SECRET = "secret-of-the-maintenance-jobs";
const api = useApi({ environment: { METRICS_NAMESPACE: "nectar-test", MAINTENANCE_CRON_SECRET: SECRET } });
const plain = useApi();
const ada = beforeTests(() => api.person());
const SCHEDULE = {
  name: "measured",
  path: "/health/cron/measured",
  secret: "MAINTENANCE_CRON_SECRET",
  budgetSeconds: 40,
} as const;

function lastLine(logged: string): Record<string, unknown> {
  return JSON.parse(logged.trimEnd().split("\n").at(-1) ?? "");
}

describe("the line of a request", () => {
  it("is a metric by group and status class in CloudWatch's embedded metric format", async () => {
    await api.get("/api/goals/11111111-2222-4333-8444-555555555555", ada).refused(404, "goal.not_found");
    expect(lastLine(api.logged())).toMatchObject({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: "nectar-test",
            Dimensions: [["group", "status_class"], ["status_class"]],
            Metrics: [{ Name: "duration_ms", Unit: "Milliseconds" }],
          },
        ],
      },
      group: "goals",
      status_class: "4xx",
      status: 404,
      duration_ms: expect.any(Number),
      route: "/api/goals/:id",
      msg: "request",
    });
  });

  it("is no metric for a health check: one that is polled while a job is late would ring the alarm on failed requests", async () => {
    await api.query`insert into private.jobs (name, known_since) values ('housekeeping', '2020-01-01')`;
    await api.get("/health/jobs").refused(503, "service.jobs_late");
    await api.query`delete from private.jobs`;
    expect(lastLine(api.logged())).toMatchObject({ route: "/health/jobs", status: 503 });
    expect(lastLine(api.logged())).not.toHaveProperty("_aws");
  });

  it("stays one line as before where nothing reads metrics", async () => {
    await plain.get("/api/moods").refused(401, "auth.missing_token");
    const fields = ["level", "time", "request_id", "method", "route", "status", "duration_ms", "msg"];
    expect(Object.keys(lastLine(plain.logged()))).toEqual(fields);
  });
});

describe("the line of a job", () => {
  it("is a metric by job and outcome", async () => {
    const done = job(SCHEDULE, async () => ({ counted: 1 }));
    await done.run(api.services);
    expect(lastLine(api.logged())).toMatchObject({
      _aws: {
        CloudWatchMetrics: [
          { Dimensions: [["job", "outcome"]], Metrics: [{ Name: "duration_ms", Unit: "Milliseconds" }] },
        ],
      },
      job: "measured",
      outcome: "succeeded",
      duration_ms: expect.any(Number),
      msg: "job",
    });
  });

  it("says when the job failed, without the message of the error", async () => {
    const failing = job(SCHEDULE, async () => {
      throw new Error("hush");
    });
    await expect(failing.run(api.services)).rejects.toThrow("hush");
    expect(lastLine(api.logged())).toMatchObject({ job: "measured", outcome: "failed" });
    expect(api.logged()).not.toContain("hush");
  });
});

it("housekeeping counts what is overdue as metrics without dimensions", async () => {
  await api.query`
    insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, created_at)
    select ${ada.id}, id, 'user', id, 'spam', now() - interval '1000 hours' from nectar.profiles
    where id <> ${ada.id} limit 1`;
  await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } }).ok();
  const lines = api.logged().trimEnd().split("\n");
  const lineWith = (field: string) =>
    lines.map((text): Record<string, unknown> => JSON.parse(text)).find((fields) => field in fields);
  const metric = (name: string) => ({
    CloudWatchMetrics: [{ Dimensions: [[]], Metrics: [{ Name: name, Unit: "Count" }] }],
  });
  expect(lineWith("late_jobs")).toMatchObject({ _aws: metric("late_jobs"), late_jobs: 0, late: [] });
  expect(lineWith("waiting_reviews")).toMatchObject({
    _aws: metric("waiting_reviews"),
    waiting_reviews: 1,
    waiting: [{ kind: "report", hours: 1000 }],
  });
});
