import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readConfig } from "#config/config";
import { TASK_NAMES } from "#core/work/tasks";
import { allApps, routeToGroups } from "#functions/all";
import { readFigures } from "#functions/health/figures";
import { SCHEDULES } from "#functions/schedules";
import { servicesFor } from "#http/services/services-for";
import { createRecorder, withMetrics } from "#ops/server/metrics";
import { useApi } from "#tests/api";
import { DEPLOYER, declaredOf, recordDeployment } from "../config/sst-recorder.ts";

const TOKEN = "a-token-of-a-monitor";
const MAX_BYTES = 200_000;
const api = useApi();

/** A server with metrics that has served nothing yet. */
function serve(services = api.services) {
  const recorder = createRecorder(SCHEDULES.map(({ name }) => name));
  const counting = { ...services, meter: recorder.meter };
  const fetch = withMetrics(counting, { token: TOKEN, recorder, readFigures }, routeToGroups(counting));
  const send = async (path: string, init: RequestInit = {}) => fetch(new Request(`http://nectar.test${path}`, init));
  const scrape = async () => {
    const response = await send("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain"),
    ]);
    return response.text();
  };
  return { recorder, send, scrape };
}

/** The samples of metrics, by name and labels as they are written. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

function sum(samples: ReadonlyMap<string, number>, name: string): number {
  return [...samples].filter(([key]) => key.startsWith(`${name}{`)).reduce((total, [, value]) => total + value, 0);
}

describe("GET /metrics", () => {
  it("counts every request once, while it is read itself", async () => {
    const { send, scrape } = serve();
    const requests = Array.from({ length: 60 }, (_, n) => send(["/api/goals", "/api/moods", "/nowhere"][n % 3] ?? ""));
    const [texts] = await Promise.all([Promise.all([scrape(), scrape(), scrape()]), ...requests]);
    const samples = samplesOf(await scrape());
    expect(sum(samples, "nectar_duration_ms_count")).toBe(60);
    expect(sum(samples, "nectar_requests_total")).toBe(60);
    for (const operation of ["listGoals", "listMoods"]) {
      expect(samples.get(`nectar_requests_total{operation="${operation}",status_class="4xx"}`)).toBe(20);
      expect(samples.get(`nectar_duration_ms_bucket{le="+Inf",operation="${operation}"}`)).toBe(20);
    }
    expect(samples.get('nectar_requests_total{operation="none",status_class="4xx"}')).toBe(20);
    for (const text of texts ?? []) expect(sum(samplesOf(text), "nectar_requests_total")).toBeLessThanOrEqual(60);
  });

  it("gets no series from odd paths, methods and parameters, and counts neither itself nor health checks", async () => {
    const { send, scrape } = serve();
    await send("/nowhere");
    await send("/api/goals");
    const before = [...samplesOf(await scrape()).keys()].filter((key) => key.startsWith("nectar_requests_total"));
    const odd = [
      "/%00",
      "/api/goals?status=%22%0A",
      "/api/goals/../../x",
      "/api/go%61ls",
      "/metricsx",
      "/metrics/x",
      "//",
    ];
    for (const path of odd) await send(path);
    for (const method of ["PATCH", "DELETE", "PROPFIND", "X-%22"]) await send("/api/goals", { method });
    await send("/metrics", { method: "POST" });
    for (const path of ["/health", "/health/ready", "/health/jobs"]) await send(path);
    await send("/metrics");
    const samples = samplesOf(await scrape());
    expect([...samples.keys()].filter((key) => key.startsWith("nectar_requests_total"))).toEqual(before);
    expect(sum(samples, "nectar_requests_total")).toBe(2 + odd.length + 5);
  });

  it.each([
    [{}, "auth.missing_token"],
    [{ authorization: `Basic ${TOKEN}` }, "auth.missing_token"],
    [{ authorization: `Bearer ${TOKEN}x` }, "auth.invalid_token"],
    [{ authorization: `Bearer ${TOKEN.slice(1)}` }, "auth.invalid_token"],
  ])("is 401 with the body of every error for %j", async (headers, code) => {
    const response = await serve().send("/metrics", { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.any(String), code });
  });

  it("shows what the database knows: jobs, reviews, deliveries and connections", async () => {
    const ada = await api.person();
    await api.query`
      insert into private.job_runs (job, key, started_at, finished_at, succeeded)
      values ('mosaics', 'all', '2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z', true)`;
    await api.query`insert into nectar.push_subscriptions (user_id, service, token) values (${ada.id}, 'fcm', 'a-token')`;
    await api.query`
      insert into nectar.notifications (user_id, type, data)
      select ${ada.id}, 'moderation', '{}' from generate_series(1, 4)`;
    await api.query`
      update private.push_deliveries set next_attempt_at = now() + case
          when notification_id = (select min(notification_id::text)::uuid from private.push_deliveries) then interval '1 hour'
          else interval '-100 seconds'
        end`;
    const samples = samplesOf(await serve().scrape());
    expect(samples.get("nectar_database_up")).toBe(1);
    expect(samples.get('nectar_job_last_success_timestamp_seconds{job="mosaics"}')).toBe(1_795_168_801);
    expect(samples.get("nectar_late_jobs")).toBe(0);
    expect(samples.get("nectar_waiting_reviews")).toBe(0);
    expect(samples.get("nectar_deliveries_due")).toBe(3);
    expect(samples.get("nectar_oldest_delivery_seconds")).toBeGreaterThanOrEqual(100);
    expect(samples.get('nectar_database_connections{database="primary",state="waiting"}')).toBe(0);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(samples.get('nectar_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThan(0);
  });

  it("has the failures of every job and task from the start on, so that an alarm sees the first one", async () => {
    const { recorder, scrape } = serve();
    const failuresOf = async () =>
      [...samplesOf(await scrape())].filter(([key]) => /_count\{.*outcome="failed"/.test(key));
    const before = await failuresOf();
    expect(before.every(([, failures]) => failures === 0)).toBe(true);
    for (const { name } of SCHEDULES) recorder.meter.run("job", name, "failed", 1);
    for (const name of TASK_NAMES) recorder.meter.run("task", name, "failed", 1);
    expect(await failuresOf()).toEqual(before.map(([key]) => [key, 1]));
  });

  it("shows the rest while the database is away", async () => {
    const away = servicesFor(
      readConfig({ DATABASE_URL: "postgres://a:b@127.0.0.1:9/c", SUPABASE_URL: "http://127.0.0.1:9" }),
      { logger: api.services.logger },
    );
    const { send, scrape } = serve(away);
    await send("/nowhere");
    const samples = samplesOf(await scrape());
    expect(samples.get("nectar_database_up")).toBe(0);
    expect(sum(samples, "nectar_requests_total")).toBe(1);
    expect(samples.has("nectar_late_jobs")).toBe(false);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  it("has less than 200 kB after requests to every operation, and runs of every job, with every outcome", async () => {
    const { recorder, scrape } = serve();
    const operations = allApps(api.services).flatMap(({ app }) => app.endpoints.map(({ definition }) => definition.id));
    expect(operations.length).toBeGreaterThan(200);
    for (const operation of operations) {
      for (const status of [200, 400, 500]) recorder.meter.request(operation, status, 1234.5);
    }
    for (const { name } of SCHEDULES) {
      for (const outcome of ["succeeded", "failed"] as const) recorder.meter.run("job", name, outcome, 12_345);
    }
    for (const name of TASK_NAMES) {
      for (const outcome of ["succeeded", "failed"] as const) recorder.meter.run("task", name, outcome, 12_345);
    }
    expect((await scrape()).length).toBeLessThan(MAX_BYTES);
  });
});

describe("the dashboard and the alarms in docker", () => {
  const read = (name: string) => readFileSync(new URL(`../../../docker/${name}`, import.meta.url), "utf8");
  const alarms = read("prometheus-alarms.yaml");

  it.each(["prometheus-alarms.yaml", "grafana-dashboard.json"])("%s names metrics that there are", async (file) => {
    const { recorder, send, scrape } = serve();
    await send("/nowhere");
    recorder.meter.run("task", "push", "failed", 1);
    const text = await scrape();
    const names = new Set(read(file).match(/\b(?:nectar|process|nodejs)_[a-z_0-9]+/g));
    expect(names.size).toBeGreaterThan(5);
    for (const name of names) expect.soft(text).toMatch(new RegExp(`^(?:# TYPE ${name} |${name}[{ ])`, "m"));
  });

  it("have a counterpart of every alarm on AWS", async () => {
    // Lambda refuses to run a function; a server lets requests wait.
    const counterparts: Readonly<Record<string, string>> = { Throttles: "WaitingConnections" };
    const declared = declaredOf(await recordDeployment("production", DEPLOYER), "MetricAlarm");
    const here = [...alarms.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const names = declared.map(({ name }) =>
      z
        .string()
        .parse(name)
        .replace(/Alarm$/, ""),
    );
    expect(names).toContain("WaitingReviews");
    for (const name of names) expect.soft(here).toContain(counterparts[name] ?? name);
  });
});
