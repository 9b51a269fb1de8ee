import type { Database, Tx } from "@nectar/database/database";
import { sql } from "kysely";
import { z } from "zod";

/** The answer of a job's cron route. */
export const JobAnswer = z
  .object({
    success: z.boolean(),
    message: z.string(),
    results: z.record(z.string(), z.number()).optional(),
  })
  .meta({ id: "JobAnswer" });
export type JobAnswer = z.infer<typeof JobAnswer>;

/** What a job may use while it runs. */
export interface JobContext {
  /** Runs one slice of the work in a transaction of its own, so that what is done stays done. */
  readonly slice: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/**
 * Runs a job at most once at a time: a second call while the first still works answers at once that it is running. Every
 * run leaves a row in private.job_runs, also when it fails.
 * @param job name of the job
 * @param key what this run is about (a date, say); runs with different keys do not exclude each other
 * @param work the job; returns its counts
 */
export async function runJob(
  database: Database,
  job: string,
  key: string,
  work: (context: JobContext) => Promise<Record<string, number>>,
): Promise<JobAnswer> {
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
    const finish = (succeeded: boolean, results: Record<string, number>) =>
      slice((tx) =>
        tx
          .updateTable("private.job_runs")
          .set({ finished_at: sql<string>`now()`, succeeded, results: JSON.stringify(results) })
          .where("id", "=", run.id)
          .execute(),
      );
    try {
      const results = await work({ slice });
      await finish(true, results);
      return { success: true, message: "done", results };
    } catch (error) {
      await finish(false, {});
      throw error;
    }
  });
}
