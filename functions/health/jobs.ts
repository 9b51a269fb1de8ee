import { AppError } from "#core/errors";
import { readJobStates } from "#http/jobs/job-states";
import { keptFor } from "#http/services/kept";
import type { Services } from "#http/services/services";
import { SCHEDULES } from "../schedules.ts";

/** How long a result counts. Anyone may ask, so a process asks the database once in this time, however many requests come. */
const KEPT_MS = 15_000;

/** Checks that no scheduled job is late. @throws AppError 503 with the names of the late ones */
export async function checkJobs(services: Services, now: Date) {
  const late = await lateJobs(services, now);
  if (late.length > 0) throw new AppError("service.jobs_late", { late });
  return { status: "ok" as const, late };
}

const LATE_JOBS = { metric: "late_jobs", unit: "Count", dimensions: [[]] } as const;

/** Logs how many jobs are late, which an alarm watches. */
export async function reportLateJobs(services: Services, now: Date): Promise<void> {
  const late = await readLateJobs(services, now);
  services.logger.info({ ...services.metrics?.(LATE_JOBS), late_jobs: late.length, late }, "late jobs");
}

const lateJobs = keptFor(KEPT_MS, readLateJobs);

async function readLateJobs({ database }: Services, now: Date): Promise<string[]> {
  const jobs = await database.asService((tx) => readJobStates(tx, SCHEDULES, now));
  return jobs.filter(({ late }) => late).map(({ name }) => name);
}
