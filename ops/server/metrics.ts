import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { AppError } from "#core/errors";
import { TASK_NAMES } from "#core/work/tasks";
import type { Connections } from "#database/pool";
import { secretCheck } from "#http/access/secrets";
import { respondOutsideOfGroups } from "#http/endpoint/group-app";
import { type Figures, MEASUREMENTS, type Meter, statusClassOf } from "#http/services/metrics";
import type { Services } from "#http/services/services";
import type { Fetch } from "./http-server.ts";

/** Reads what the metrics show of the database. @throws AppError 503 */
export type ReadFigures = (services: Services, now: Date) => Promise<Figures>;

/** Counts in this process, and writes all metrics as Prometheus reads them. */
export interface Recorder {
  readonly meter: Meter;
  readonly contentType: string;
  /** @param readFigures may fail: then the rest is written */
  render(services: Services, readFigures: ReadFigures): Promise<string>;
}

/** Four buckets keep a scrape below 200 kB after requests to every operation: `tests/deploy/server/metrics.test.ts`. */
const BUCKETS_MS = [25, 100, 400, 1_600];
/** How long a scrape waits for the database, in milliseconds. */
const PATIENCE_MS = 3_000;
const NS_PER_SECOND = 1e9;
const PATH = /^[^/]+\/\/[^/]+\/metrics(?=[?#]|$)/;
const BEARER = /^Bearer +(\S+) *$/i;

/** @param jobs names of the scheduled jobs */
export function createRecorder(jobs: readonly string[]): Recorder {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const requests = new Counter({
    name: "nectar_requests_total",
    help: "Requests by operation and class of status.",
    labelNames: ["operation", "status_class"],
    registers,
  });
  const durations = new Histogram({
    name: MEASUREMENTS.request.prometheus,
    help: "Duration of requests.",
    labelNames: ["operation"],
    buckets: BUCKETS_MS,
    registers,
  });
  const runsOf = (kind: "job" | "task") =>
    new Histogram({
      name: MEASUREMENTS[kind].prometheus,
      help: `Duration of each ${kind}.`,
      labelNames: [kind, "outcome"],
      buckets: [],
      registers,
    });
  const runs = { job: runsOf("job"), task: runsOf("task") };
  // Prometheus sees no increase in a series that begins with its first failure.
  for (const job of jobs) runs.job.zero({ job, outcome: "failed" });
  for (const task of TASK_NAMES) runs.task.zero({ task, outcome: "failed" });

  const isUp = gauge("nectar_database_up", "1 if the database gave the figures below, else 0.");
  const lateJobs = gauge(MEASUREMENTS.lateJobs.prometheus, "Scheduled jobs that are late.");
  const reviews = gauge(MEASUREMENTS.waitingReviews.prometheus, "Kinds of reviews that have waited for too long.");
  const successes = gauge("nectar_job_last_success_timestamp_seconds", "When a job last succeeded.", ["job"]);
  const due = gauge("nectar_deliveries_due", "Push messages that are due, 10,000 at most.");
  const oldest = gauge("nectar_oldest_delivery_seconds", "For how long the oldest push message has been due.");
  const connections = gauge("nectar_database_connections", "Connections, and transactions that wait for one.", [
    "database",
    "state",
  ]);
  const lag = gauge("nectar_replica_lag_seconds", "How far a replica is behind; +Inf if it does not say.", [
    "database",
  ]);
  const memory = gauge("process_resident_memory_bytes", "Memory of the process.");
  const heap = gauge("nodejs_heap_size_used_bytes", "Memory of its JavaScript objects.");
  const delays = gauge("nectar_event_loop_delay_seconds", "Delay of the event loop since the last scrape.", [
    "quantile",
  ]);
  const delay = monitorEventLoopDelay();
  delay.enable();

  function setFigures(figures: Figures | null, now: Date): void {
    isUp.set(figures === null ? 0 : 1);
    for (const one of [lateJobs, reviews, due, oldest]) one.remove();
    successes.reset();
    if (figures === null) return;
    lateJobs.set(figures.lateJobs);
    reviews.set(figures.waitingReviews);
    for (const { job, at } of figures.lastSuccesses) successes.set({ job }, at.getTime() / 1_000);
    due.set(figures.deliveriesDue);
    const since = figures.oldestDelivery?.getTime() ?? now.getTime();
    oldest.set(Math.max(0, (now.getTime() - since) / 1_000));
  }

  function setConnections(database: string, { inUse, idle, waiting }: Connections): void {
    connections.set({ database, state: "in_use" }, inUse);
    connections.set({ database, state: "idle" }, idle);
    connections.set({ database, state: "waiting" }, waiting);
  }

  function setProcess(): void {
    const { rss, heapUsed } = process.memoryUsage();
    memory.set(rss);
    heap.set(heapUsed);
    delays.set({ quantile: "0.5" }, delay.percentile(50) / NS_PER_SECOND);
    delays.set({ quantile: "0.99" }, delay.percentile(99) / NS_PER_SECOND);
    delays.set({ quantile: "1" }, delay.max / NS_PER_SECOND);
    delay.reset();
  }

  return {
    meter: {
      request(operation, status, durationMs) {
        requests.inc({ operation, status_class: statusClassOf(status) });
        durations.observe({ operation }, durationMs);
      },
      run: (kind, name, outcome, durationMs) => runs[kind].observe({ [kind]: name, outcome }, durationMs),
    },
    contentType: registry.contentType,
    async render(services, readFigures) {
      const { database, replicas, clock } = services;
      const now = clock.now();
      // Reading the figures takes a connection itself, so the connections are counted before.
      setConnections("primary", database.connections());
      const [figures, states] = await Promise.all([
        orNull(readFigures(services, now)),
        replicas === null ? [] : orNull(replicas.states()),
      ]);
      setFigures(figures, now);
      for (const [index, state] of (states ?? []).entries()) {
        setConnections(`replica_${index + 1}`, state.connections);
        lag.set({ database: `replica_${index + 1}` }, state.lagSeconds);
      }
      setProcess();
      return registry.metrics();
    },
  };
}

/** The result, or null if it fails or takes too long. */
async function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([work.catch(() => null), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Shows metrics at `/metrics` to callers with the token; all other requests go to `next`. */
export function withMetrics(
  services: Services,
  { token, recorder, readFigures }: { token: string; recorder: Recorder; readFigures: ReadFigures },
  next: Fetch,
): Fetch {
  const isToken = secretCheck([token]);
  const respond = respondOutsideOfGroups(services, "/metrics", async ({ req, requestId }) => {
    const offered = BEARER.exec(req.header("authorization") ?? "")?.[1];
    if (offered === undefined) throw new AppError("auth.missing_token");
    if (!isToken(offered)) throw new AppError("auth.invalid_token");
    return new Response(await recorder.render(services, readFigures), {
      headers: { "content-type": recorder.contentType, "cache-control": "no-store", "x-request-id": requestId },
    });
  });
  return (request) => (request.method === "GET" && PATH.test(request.url) ? respond(request) : next(request));
}
