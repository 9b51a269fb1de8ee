import type { CronSecretName } from "#config/config";
import { lastDueTimes } from "#core/time/cron-expression";
import { DUE_AT_HEADER } from "#http/jobs/due-at";
import { ALREADY_RUNNING, JobResponse } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import type { Fetch } from "./http-server.ts";

/** The fields of a schedule that the scheduler needs. */
export interface ScheduledJob {
  readonly name: string;
  /** EventBridge cron expression, in UTC. */
  readonly cron: string;
  readonly method: "POST";
  readonly path: `/${string}`;
  readonly secret: CronSecretName;
}

/** Starts jobs when they are due. */
export interface Scheduler {
  /** Starts the jobs that are due and have not been done. */
  tick(): void;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
}

export interface SchedulerOptions {
  readonly schedules: readonly ScheduledJob[];
  /** Responds to the requests for the jobs' routes. */
  readonly fetch: Fetch;
  readonly services: Pick<Services, "config" | "clock" | "logger" | "stopping">;
  /** How many jobs run at the same time; each has a connection while a batch runs. */
  readonly maxJobs: number;
}

const MINUTE_MS = 60_000;
/** How late a job is still started for its due time: after a restart, or when the process that ran it has died. */
const MAX_LATENESS_MS = 60 * MINUTE_MS;
/** Failures in a row after which a job waits for its next due time; EventBridge tries as often. */
const MAX_FAILURES = 3;

/** A job with the times of its runs. */
interface Progress {
  /** The last due time that needs no run any more. */
  doneUntil: number;
  failures: number;
  /** No attempt before this time. */
  notBefore: number;
}

/**
 * Makes a scheduler that calls the jobs' cron routes with their secrets. A due time counts as done when a run for it has
 * succeeded, here or in another process; until then it is tried again, up to an hour later. So any number of schedulers may
 * work on one database, and one that was down starts what it missed within the last hour.
 */
export function createScheduler({ schedules, fetch, services, maxJobs }: SchedulerOptions): Scheduler {
  const { config, clock, logger, stopping } = services;
  const progressOf = new Map(schedules.map(({ name }) => [name, { doneUntil: 0, failures: 0, notBefore: 0 }]));
  const running = new Map<string, Promise<void>>();

  /** The due time that a job should be started for now; null if there is none. */
  function dueTime({ name, cron }: ScheduledJob, { doneUntil, notBefore }: Progress): Date | null {
    const now = clock.now();
    if (running.has(name) || now.getTime() < notBefore) return null;
    const [due] = lastDueTimes(cron, now, 1);
    if (due === undefined || due.getTime() <= doneUntil) return null;
    return now.getTime() - due.getTime() > MAX_LATENESS_MS ? null : due;
  }

  async function run(job: ScheduledJob, due: Date, progress: Progress): Promise<void> {
    const outcome = await call(job, due).catch((error: unknown) => {
      logger.error({ job: job.name, failure: describeFailure(error) }, "scheduled job failed");
      return "failed" as const;
    });
    if (outcome === "failed") progress.failures += 1;
    if (outcome === "done" || progress.failures === MAX_FAILURES) {
      Object.assign(progress, { doneUntil: due.getTime(), failures: 0 });
    } else {
      progress.notBefore = clock.now().getTime() + MINUTE_MS * Math.max(1, progress.failures);
    }
  }

  async function call({ name, method, path, secret }: ScheduledJob, due: Date): Promise<"done" | "running" | "failed"> {
    const response = await fetch(
      new Request(`http://schedule.invalid${path}`, {
        method,
        headers: { "x-cron-secret": config.cronSecrets[secret] ?? "", [DUE_AT_HEADER]: due.toISOString() },
      }),
    );
    const body: unknown = await response.json();
    if (response.ok) return JobResponse.parse(body).message === ALREADY_RUNNING ? "running" : "done";
    logger.error({ job: name, status: response.status }, "scheduled job failed");
    return "failed";
  }

  function tick(): void {
    for (const job of schedules) {
      const progress = progressOf.get(job.name);
      if (progress === undefined || stopping.aborted || running.size >= maxJobs) return;
      const due = dueTime(job, progress);
      if (due === null) continue;
      const ended = run(job, due, progress).then(() => {
        running.delete(job.name);
        tick();
      });
      running.set(job.name, ended);
    }
  }

  return {
    tick,
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

/** Calls back soon after the beginning of each minute, until the signal is aborted. */
export function everyMinute({ clock, stopping }: Pick<Services, "clock" | "stopping">, callback: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    callback();
    timer = setTimeout(next, MINUTE_MS - (clock.now().getTime() % MINUTE_MS));
  };
  stopping.addEventListener("abort", () => clearTimeout(timer));
  next();
}
