import { lastDueTimes } from "./cron-expression.ts";

/** How many due times without a success make a job late. */
export const LATE_PERIODS = 3;

/** The name under which a backup is recorded like a run of a job. */
export const BACKUP_JOB = "backup";

/** How long after the last backup the next one is late: a day, and time for the backup itself. */
export const MAX_BACKUP_AGE_HOURS = 26;

/** When a job is due, and how long a run may take. */
export interface DueJob {
  /** EventBridge cron expression, in UTC. */
  readonly cron: string;
  readonly budgetSeconds: number;
}

export interface JobHistory {
  /** When the job became known. Runs that were due earlier are not expected. */
  readonly knownSince: Date;
  readonly lastSucceededAt: Date | null;
}

/**
 * Whether a job has not succeeded for three periods: it was due three times, the last time long enough ago to be done, and
 * no run has succeeded since the first of them. Due times are counted instead of hours, because a job may run during a part
 * of the day, or on one day of a month.
 */
export function isLate(
  { cron, budgetSeconds }: DueJob,
  { knownSince, lastSucceededAt }: JobHistory,
  now: Date,
): boolean {
  const due = lastDueTimes(cron, new Date(now.getTime() - budgetSeconds * 1_000), LATE_PERIODS)[LATE_PERIODS - 1];
  if (due === undefined) return false;
  return knownSince <= due && (lastSucceededAt === null || lastSucceededAt < due);
}

/** Whether no backup has succeeded for too long. */
export function isBackupLate({ knownSince, lastSucceededAt }: JobHistory, now: Date): boolean {
  return now.getTime() - (lastSucceededAt ?? knownSince).getTime() > MAX_BACKUP_AGE_HOURS * 3_600_000;
}
