import { sql } from "kysely";
import * as z from "zod";
import type { CronSecretName } from "#config/config";
import type { Tx } from "#database/database";
import { maybeOne } from "#database/query";
import { runAsService } from "#database/retry";
import type { Services } from "../services/services.ts";
import { type RenewedClaim, TAKEN_OVER, whileClaimed } from "./claims.ts";

/** The counts of a job, and short texts about failures. */
export const JobResults = z.record(z.string(), z.union([z.number(), z.array(z.string())]));
export type JobResults = z.infer<typeof JobResults>;

/** The response of a job's cron route. */
export const JobResponse = z
  .object({
    success: z.boolean(),
    message: z.string(),
    results: JobResults.optional().meta({ description: "What the run counted, and short texts about what failed." }),
  })
  .meta({ id: "JobResponse" });
export type JobResponse = z.infer<typeof JobResponse>;

/** The fields of a schedule that its job and route need. */
export interface JobSchedule {
  readonly name: string;
  readonly path: `/${string}`;
  /** The variable that holds the job's secret. */
  readonly secret: CronSecretName;
  /** Variables whose secret is accepted instead while the ones before them are not set. */
  readonly fallbackSecrets?: readonly CronSecretName[];
  /** Seconds after which a run starts no further batch; less than the timeout of its function. */
  readonly budgetSeconds: number;
}

/** How a run differs from the scheduled one. */
export type RunOptions<Options extends object = object> = Partial<Options> & {
  readonly budgetSeconds?: number;
  /** How long the claim of the run lasts without being renewed. */
  readonly claimSeconds?: number;
  /** When the schedule wanted this run: if a run for the same time has succeeded already, it does nothing and says so. */
  readonly dueAt?: Date;
};

/** A job and its row in the table of schedules. */
export interface Job<Options extends object = object> {
  readonly schedule: JobSchedule;
  /** Runs the job. While another run with the same key works, it does nothing and says so. */
  run(services: Services, options?: RunOptions<Options>): Promise<JobResponse>;
}

/** The result of one batch of a job. */
export interface Batch<Count extends string, Cursor> {
  /** How many rows it looked at. The last batch looks at fewer than the size of a batch. */
  readonly seen: number;
  /** Counts that are added up over all batches. */
  readonly counts: Readonly<Record<Count, number>>;
  /** The start of the next batch, unless it finds that out by itself. */
  readonly cursor?: Cursor | null;
}

/** Work in transactions that commit one by one, until a budget is used up. */
export interface BudgetedWork {
  /** Runs a transaction as the service, again if it lost a deadlock; so it must have no effect outside of the database. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /**
   * Runs batches, each in its own transaction, until the last one or until the budget is used up. The first batch always
   * runs.
   * @param size rows of a full batch
   * @param work runs one batch from the cursor of the batch before, null for the first
   * @returns the sums of what the batches looked at and counted
   */
  readonly forEachBatch: <Count extends string, Cursor = never>(
    size: number,
    work: (tx: Tx, cursor: Cursor | null) => Promise<Batch<Count, Cursor>>,
  ) => Promise<Record<Count, number> & { seen: number }>;
  /** Milliseconds that are left of the budget; never negative. */
  readonly msLeft: () => number;
  /** Whether the budget is used up. Ask only while there is work left, because the results then say that the job stopped early. */
  readonly outOfTime: () => boolean;
}

/** The means of a worker. */
export interface WorkerContext<Options extends object = object> extends BudgetedWork {
  readonly services: Services;
  readonly options: Partial<Options>;
  /** Short sentences for the results of a job. They are added if there are any; a job may also return them itself. */
  readonly errors: string[];
}

/** The means of a job. */
export interface JobContext<Options extends object = object> extends WorkerContext<Options> {
  /** When the run began. */
  readonly now: Date;
  /** The subject of the run, such as a month. */
  readonly key: string;
}

/** The message of a run that did nothing, or stopped, because another one works. */
export const ALREADY_RUNNING = "already running";
/** The message of a run that did nothing because another one has succeeded for the same due time. */
const ALREADY_DONE = "already done";
/** In the results of a run that stopped early. */
export const OUT_OF_TIME = "The time was up before everything was done; the next run continues.";

/**
 * Declares a job. At most one run per name and key works at a time, and every run is recorded in private.job_runs, also one
 * that fails; what it committed before stays.
 * @param schedule the job's row in the table of schedules
 * @param work does the job; returns its counts
 * @param settings `key` says what a run is about; by default all runs have the same key
 */
export function job<Options extends object = object>(
  schedule: JobSchedule,
  work: (context: JobContext<Options>) => Promise<JobResults>,
  settings: { readonly key?: (now: Date, options: Partial<Options>) => string } = {},
): Job<Options> {
  return {
    schedule,
    async run(services, options = {}) {
      const { name } = schedule;
      const now = services.clock.now();
      const key = settings.key?.(now, options) ?? "all";
      const budgetMs = (options.budgetSeconds ?? schedule.budgetSeconds) * 1_000;
      const run = { kind: `job ${name}`, key, seconds: options.claimSeconds };
      const response = await whileClaimed(services, run, (claim) => {
        const worker = withinBudget<Options>(claim.services, budgetMs, options);
        return recorded(claim, { job: name, key, dueAt: options.dueAt ?? null }, () =>
          measured(services, name, async () => {
            const results = await work({ ...worker, now, key });
            return worker.errors.length === 0 ? results : { ...results, errors: worker.errors };
          }),
        );
      });
      return response ?? { success: true, message: ALREADY_RUNNING };
    },
  };
}

/**
 * Starts a budget for work in batches as the service: of a job, of a task, or of a request that does a part of a job. When
 * the process stops, the budget is used up.
 */
export function withinBudget<Options extends object = object>(
  services: Services,
  budgetMs: number,
  options: Partial<Options> = {},
): WorkerContext<Options> {
  const { database, clock, stopping } = services;
  const errors: string[] = [];
  const end = clock.now().getTime() + budgetMs;
  const msLeft = () => (stopping.aborted ? 0 : Math.max(0, end - clock.now().getTime()));
  const outOfTime = () => {
    if (msLeft() > 0) return false;
    const reason = stopping.reason === TAKEN_OVER ? TAKEN_OVER : OUT_OF_TIME;
    if (!errors.includes(reason)) errors.push(reason);
    return true;
  };
  const transaction: BudgetedWork["transaction"] = (work) => runAsService(database, work);
  return {
    services,
    options,
    errors,
    transaction,
    async forEachBatch<Count extends string, Cursor>(
      size: number,
      work: (tx: Tx, cursor: Cursor | null) => Promise<Batch<Count, Cursor>>,
    ) {
      const run = (cursor: Cursor | null) => transaction((tx) => work(tx, cursor));
      let batch = await run(null);
      let { seen } = batch;
      const totals: Record<Count, number> = { ...batch.counts };
      while (batch.seen >= size && !outOfTime()) {
        batch = await run(batch.cursor ?? null);
        seen += batch.seen;
        for (const count in totals) totals[count] += batch.counts[count];
      }
      return { ...totals, seen };
    },
    msLeft,
    outOfTime,
  };
}

/** Runs the work of a job inside a span, and logs how long it took. */
async function measured<Result>(services: Services, job: string, work: () => Promise<Result>): Promise<Result> {
  const { logger, metrics, meter, telemetry } = services;
  const startedAt = performance.now();
  const log = (outcome: "succeeded" | "failed") => {
    const durationMs = Math.round(performance.now() - startedAt);
    meter?.run("job", job, outcome, durationMs);
    logger.info({ ...metrics?.("job"), job, outcome, duration_ms: durationMs }, "job");
  };
  const plan = { name: `job ${job}`, kind: "internal", attributes: { "nectar.job": job } } as const;
  try {
    const result = telemetry === null ? await work() : await telemetry.inSpan(plan, work);
    log("succeeded");
    return result;
  } catch (error) {
    log("failed");
    throw error;
  }
}

/** Does the work of a run, and records it. */
async function recorded(
  { services: { database }, renew }: RenewedClaim,
  { job, key, dueAt }: { readonly job: string; readonly key: string; readonly dueAt: Date | null },
  work: () => Promise<JobResults>,
): Promise<JobResponse> {
  const run = await database.asService(
    (tx) => maybeOne<{ id: string }>(tx)`
      insert into private.job_runs (job, key, due_at)
      select ${job}, ${key}, ${dueAt}::timestamptz
      where not exists (
        select from private.job_runs r
        where r.job = ${job} and r.key = ${key} and r.due_at = ${dueAt}::timestamptz and r.succeeded
      )
      returning id
    `,
  );
  if (run === undefined) return { success: true, message: ALREADY_DONE };
  const finish = (succeeded: boolean, results: JobResults) =>
    database.asService((tx) =>
      tx
        .updateTable("private.job_runs")
        .set({ finished_at: sql<string>`now()`, succeeded, results: JSON.stringify(results) })
        .where("id", "=", run.id)
        .execute(),
    );
  try {
    const results = await work();
    // If another run has taken over, it is the one that succeeds for the due time.
    const isOurs = await renew();
    await finish(isOurs, results);
    return { success: true, message: isOurs ? "done" : ALREADY_RUNNING, results };
  } catch (error) {
    await finish(false, {});
    throw error;
  }
}
