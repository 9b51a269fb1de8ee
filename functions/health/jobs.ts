import { AppError } from "#core/errors";
import { BACKUP_JOB } from "#core/time/late-jobs";
import { type WaitingReview, waitingReviews } from "#core/time/waiting-reviews";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { type JobState, readIsBackupLate, readJobStates } from "#http/jobs/job-states";
import { keptFor } from "#http/services/kept";
import type { Services } from "#http/services/services";
import { SCHEDULES } from "../schedules.ts";

/** How long a result counts. Anyone may ask, so a process asks the database once in this time, however many requests come. */
const KEPT_MS = 15_000;

/** Jobs and reviews that are overdue. */
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

/** Logs how many jobs are late and how many kinds of reviews wait for too long, which alarms watch. */
export async function reportOverdue(services: Services, now: Date): Promise<void> {
  const { logger, metrics } = services;
  const { late, waiting } = await readOverdue(services, now);
  logger.info({ ...metrics?.("lateJobs"), late_jobs: late.length, late }, "late jobs");
  logger.info({ ...metrics?.("waitingReviews"), waiting_reviews: waiting.length, waiting }, "waiting reviews");
}

const overdue = keptFor(KEPT_MS, readOverdue);

function readOverdue({ database, config }: Services, now: Date): Promise<Overdue> {
  return database.asService((tx) => readState(tx, config, now));
}

/** Reads what is overdue, and the states of all jobs, in one round trip. */
export async function readState(
  tx: Tx,
  { backupExpected, reviewAlarmHours }: Services["config"],
  now: Date,
): Promise<Overdue & { readonly jobs: readonly JobState[] }> {
  const [jobs, isBackupLate, reviews] = await Promise.all([
    readJobStates(tx, SCHEDULES, now),
    backupExpected && readIsBackupLate(tx, now),
    call(tx, "oldest_reviews"),
  ]);
  const late = jobs.filter((job) => job.late).map(({ name }) => name);
  return {
    jobs,
    late: isBackupLate ? [...late, BACKUP_JOB] : late,
    waiting: waitingReviews(reviews, reviewAlarmHours, now),
  };
}
