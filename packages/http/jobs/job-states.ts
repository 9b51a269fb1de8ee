import { BACKUP_JOB, type DueJob, isBackupLate, isLate, type JobHistory } from "#core/time/late-jobs";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { JobResults, JobSchedule } from "./jobs.ts";

/** A scheduled job with its last runs. */
export interface JobState {
  readonly name: string;
  /** EventBridge cron expression, in UTC. */
  readonly schedule: string;
  readonly last_started_at: string | null;
  readonly last_succeeded_at: string | null;
  readonly running: boolean;
  /** Whether it has not succeeded for three periods. */
  readonly late: boolean;
  /** The counts of the last run that ended; empty if it failed. */
  readonly last_results: JobResults | null;
}

/** Reads the state of jobs, in the order of their schedules, as the service. A job is known from the first time on. */
export async function readJobStates(
  tx: Tx,
  schedules: readonly (JobSchedule & DueJob)[],
  now: Date,
): Promise<JobState[]> {
  const rows = await call(tx, "job_states", { names: schedules.map(({ name }) => name), now });
  return schedules.map((schedule) => {
    const row = rows.find(({ name }) => name === schedule.name);
    if (row === undefined) throw new Error(`The database has not returned the state of ${schedule.name}.`);
    const { known_since: _, ...state } = row;
    // The counts that a run has written.
    const last_results = state.last_results as JobResults | null;
    return { ...state, last_results, schedule: schedule.cron, late: isLate(schedule, historyOf(row), now) };
  });
}

/** Whether no backup has been recorded for too long: since the last one, or before the first since this was first asked. */
export async function readIsBackupLate(tx: Tx, now: Date): Promise<boolean> {
  const rows = await call(tx, "job_states", { names: [BACKUP_JOB], now });
  return rows.some((row) => isBackupLate(historyOf(row), now));
}

function historyOf(row: { known_since: string; last_succeeded_at: string | null }): JobHistory {
  const lastSucceededAt = row.last_succeeded_at === null ? null : new Date(row.last_succeeded_at);
  return { knownSince: new Date(row.known_since), lastSucceededAt };
}
