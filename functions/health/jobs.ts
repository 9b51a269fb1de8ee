import { AppError } from "#core/errors";
import { BACKUP_JOB } from "#core/time/late-jobs";
import { type WaitingReview, waitingReviews } from "#core/time/waiting-reviews";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { readIsBackupLate, readJobStates } from "#http/jobs/job-states";
import { keptFor } from "#http/services/kept";
import type { Services } from "#http/services/services";
import { SCHEDULES } from "../schedules.ts";

/** How long a result counts. Anyone may ask, so a process asks the database once in this time, however many requests come. */
const KEPT_MS = 15_000;

/** What has not been done in time. */
interface Overdue {
  /** The names of the late jobs. */
  readonly late: readonly string[];
  readonly waiting: readonly WaitingReview[];
}

/** Checks that no scheduled job is late and no review waits for too long. @throws AppError 503 with what is overdue */
export async function checkJobs(services: Services, now: Date) {
  const { late, waiting } = await overdue(services, now);
  if (late.length > 0) throw new AppError("service.jobs_late", { late, waiting });
  if (waiting.length > 0) throw new AppError("service.reviews_waiting", { late, waiting });
  return { status: "ok" as const, late: [], waiting: [] };
}

const LATE_JOBS = { metric: "late_jobs", unit: "Count", dimensions: [[]] } as const;
const WAITING_REVIEWS = { metric: "waiting_reviews", unit: "Count", dimensions: [[]] } as const;

/** Logs how many jobs are late and how many kinds of reviews wait for too long, which alarms watch. */
export async function reportOverdue(services: Services, now: Date): Promise<void> {
  const { logger, metrics } = services;
  const { late, waiting } = await readOverdue(services, now);
  logger.info({ ...metrics?.(LATE_JOBS), late_jobs: late.length, late }, "late jobs");
  logger.info({ ...metrics?.(WAITING_REVIEWS), waiting_reviews: waiting.length, waiting }, "waiting reviews");
}

const overdue = keptFor(KEPT_MS, readOverdue);

function readOverdue({ database, config }: Services, now: Date): Promise<Overdue> {
  return database.asService(async (tx) => {
    const [late, reviews] = await Promise.all([listLate(tx, config, now), call(tx, "oldest_reviews")]);
    return { late, waiting: waitingReviews(reviews, config.reviewAlarmHours, now) };
  });
}

async function listLate(tx: Tx, { backupExpected }: Services["config"], now: Date): Promise<string[]> {
  const [jobs, isBackupLate] = await Promise.all([
    readJobStates(tx, SCHEDULES, now),
    backupExpected && readIsBackupLate(tx, now),
  ]);
  const late = jobs.filter((job) => job.late).map(({ name }) => name);
  return isBackupLate ? [...late, BACKUP_JOB] : late;
}
