import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";
import { z } from "zod";
import type { Services } from "./services.ts";

/** The answer of a job's cron route. */
export const JobResponse = z
  .object({
    success: z.boolean(),
    message: z.string(),
    results: z.record(z.string(), z.union([z.number(), z.array(z.string())])).optional(),
  })
  .meta({ id: "JobResponse" });
export type JobResponse = z.infer<typeof JobResponse>;

/** What a job counted, and short texts about what failed. */
export type JobResults = Record<string, number | string[]>;

/** A run of a job. */
export interface JobRun {
  readonly job: string;
  /** What this run is about (a month, say); runs with different keys do not exclude each other. */
  readonly key: string;
  /** Seconds after which the job should begin nothing more; less than what its function may take. */
  readonly budgetSeconds?: number;
}

/** Seconds after which a job begins nothing more, unless it says otherwise. */
export const DEFAULT_BUDGET_SECONDS = 40;

/** What a job may use while it runs. */
export interface JobContext {
  /** Runs one slice of the work in a transaction of its own, so that what is done stays done. */
  readonly slice: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Whether the budget is used up: what is left is for the next call. */
  readonly outOfTime: () => boolean;
}

/**
 * Runs a job at most once at a time: a second call while the first still works answers at once that it is running. Every
 * run leaves a row in private.job_runs, also when it fails.
 * @param work the job; returns its counts
 */
export async function runJob(
  { database, clock }: Pick<Services, "database" | "clock">,
  { job, key, budgetSeconds = DEFAULT_BUDGET_SECONDS }: JobRun,
  work: (context: JobContext) => Promise<JobResults>,
): Promise<JobResponse> {
  const end = clock.now().getTime() + budgetSeconds * 1_000;
  // The lock lives in a transaction of its own that does nothing else, so that it is gone whenever the process is.
  return database.asService(async (lockTx) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`job ${job} ${key}`}, 0)) as acquired,
             set_config('idle_in_transaction_session_timeout', '0', true)
    `.execute(lockTx);
    if (rows[0]?.acquired !== true) return { success: true, message: "already running" };
    const slice: JobContext["slice"] = (part) => database.asService(part);
    const run = await slice((tx) =>
      tx.insertInto("private.job_runs").values({ job, key }).returning("id").executeTakeFirstOrThrow(),
    );
    const finish = (succeeded: boolean, results: JobResults) =>
      slice((tx) =>
        tx
          .updateTable("private.job_runs")
          .set({ finished_at: sql<string>`now()`, succeeded, results: JSON.stringify(results) })
          .where("id", "=", run.id)
          .execute(),
      );
    try {
      const results = await work({ slice, outOfTime: () => clock.now().getTime() >= end });
      await finish(true, results);
      return { success: true, message: "done", results };
    } catch (error) {
      await finish(false, {});
      throw error;
    }
  });
}
