import { setTimeout as pause } from "node:timers/promises";
import type { Enum } from "#core/enums.generated";
import { AppError } from "#core/errors";
import { utcDate } from "#core/time/calendar-date";
import type { IdRange, Task } from "#core/work/tasks";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { isForeignKeyViolation } from "#database/errors";
import type { Queue } from "#providers/queue";

/** Users that are served at the same time. */
const BATCH_SIZE = 5;

/** Reasons why a turn failed, with the texts of the job's results. */
const FAILURES = {
  no_response: "the model did not respond",
  unusable: "the model's reply could not be used",
  unexpected: "something unexpected happened",
} as const;

/** How a turn ended: done, skipped (no longer wanted, or the account was deleted), or failed. */
export type TurnEnd = "done" | "skipped" | keyof typeof FAILURES;

/** How a job of the assistant runs; a test need not wait as long as the model's vendor wants it. */
export interface TurnOptions {
  /** Milliseconds between two batches, because of the model's rate limits. */
  readonly pauseMs: number;
  /** Milliseconds for one call of the model. */
  readonly modelTimeoutMs: number;
  /** People per range. */
  readonly rangeSize: number;
}

const DEFAULT_PAUSE_MS = 1_000;
/** Few enough that a worker finishes a range in its time, at four seconds for a batch. */
const DEFAULT_RANGE_SIZE = 250;

/** A worker that serves users turn by turn. */
export interface TurnTaking {
  readonly job: Enum<"assistant_job">;
  /** The UTC date that it works for; it stops when that is over. */
  readonly date: string;
  /** The users that it serves. */
  readonly range: IdRange;
  readonly services: { readonly clock: { now(): Date } };
  readonly options: Partial<TurnOptions>;
  /** Runs a separate transaction as the service. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Whether the budget is used up; the job says so in its results. */
  readonly outOfTime: () => boolean;
  /** The texts of the job's results; gets short texts that count the failures by kind. */
  readonly errors: string[];
  /** Logs an unexpected error. */
  readonly report: (error: unknown) => void;
}

/**
 * Serves one user and ends the turn if it is done.
 * @param claim id of the claim, which is needed to end the turn
 * @param moment time of the claim, which decides the day
 */
export type Serve = (userId: string, claim: string, moment: Date) => Promise<TurnEnd>;

/** Result of a run. */
export interface TurnTally {
  /** Users that the job looked at, served or not. */
  readonly seen: number;
  readonly done: number;
  readonly failed: number;
}

/** The turns that were claimed for the next batch. */
interface Claim {
  /** Distinguishes this claim from later ones of the same turns. */
  readonly id: string;
  readonly userIds: string[];
  /** Users that the claim looked at, claimed or not. */
  readonly seen: number;
  /** Users whose turn has failed too often today. */
  readonly outOfAttempts: number;
  /** The next claim starts after this person. */
  readonly lastUserId: string | null;
  readonly isLast: boolean;
}

/** A job that cuts its people into ranges. */
export interface RangeCutting extends Pick<TurnTaking, "job" | "options" | "transaction" | "errors" | "report"> {
  readonly services: { readonly queue: Queue; readonly clock: { now(): Date } };
}

/**
 * Cuts the people of a job whose turn of the day is not finished into ranges by id, and queues all but the first one. The
 * run that calls this walks over everyone itself, beginning with the first range: so it does all of the work if there is
 * little of it, or if no other worker comes.
 * @param taskOf the task for a range
 * @returns for the results, how many ranges were queued; nothing if the run does everything itself
 */
export async function queueRanges(
  { job, services: { queue, clock }, options, transaction, errors, report }: RangeCutting,
  taskOf: (range: IdRange) => Task,
): Promise<{ queued?: number }> {
  const size = options.rangeSize ?? DEFAULT_RANGE_SIZE;
  const ends = await transaction((tx) => call(tx, "assistant_range_ends", { job, moment: clock.now(), size }));
  if (ends.length === 0) return {};
  try {
    await queue.send(ends.map((after, index) => taskOf({ after, upTo: ends[index + 1] ?? null })));
    return { queued: ends.length };
  } catch (error) {
    report(error);
    errors.push("No other workers could be woken; this run and the next ones do their work.");
    return { queued: 0 };
  }
}

/**
 * Serves all users of a range whose turn it is, in batches, each user at most once per run. Turns are claimed and ended in
 * separate transactions. A failed turn is tried again by later runs of the same UTC day: after twenty minutes, and after two
 * hours. Stops when the UTC date is over.
 */
export async function takeTurns(taking: TurnTaking, serve: Serve): Promise<TurnTally> {
  const ends: TurnEnd[] = [];
  let [seen, outOfAttempts] = [0, 0];
  let { after } = taking.range;
  while (!taking.outOfTime()) {
    const moment = taking.services.clock.now();
    if (utcDate(moment) !== taking.date) break;
    const claim = await claimTurns(taking, moment, after);
    const batch = claim.userIds.map((userId) => takeTurn(taking, { userId, claim: claim.id, moment }, serve));
    ends.push(...(await Promise.all(batch)));
    seen += claim.seen;
    outOfAttempts += claim.outOfAttempts;
    after = claim.lastUserId;
    if (claim.isLast) break;
    if (batch.length > 0) await pause(taking.options.pauseMs ?? DEFAULT_PAUSE_MS);
  }
  const countOf = (kind: string) => ends.filter((end) => end === kind).length;
  const failures = Object.entries(FAILURES).map(([kind, text]) => ({ text, count: countOf(kind) }));
  for (const { text, count } of failures) if (count > 0) taking.errors.push(`${people(count)}: ${text}.`);
  if (outOfAttempts > 0) taking.errors.push(`${people(outOfAttempts)}: not tried again today after three failures.`);
  return { seen, done: countOf("done"), failed: failures.reduce((sum, { count }) => sum + count, 0) };
}

async function takeTurn(
  { job, services: { clock }, transaction, report }: TurnTaking,
  { userId, claim, moment }: { readonly userId: string; readonly claim: string; readonly moment: Date },
  serve: Serve,
): Promise<TurnEnd> {
  let end: TurnEnd;
  try {
    end = await serve(userId, claim, moment);
  } catch (error) {
    end = endOf(error);
    if (end === "unexpected") report(error);
  }
  if (end === "done") return end;
  try {
    await transaction((tx) =>
      call(tx, "release_assistant_turn", { userId, job, claim, moment: clock.now(), hasFailed: end !== "skipped" }),
    );
  } catch (error) {
    // The claim expires by itself.
    report(error);
  }
  return end;
}

function endOf(error: unknown): TurnEnd {
  if (error instanceof AppError && error.code === "provider.failed") return "no_response";
  // All rows that a turn writes refer to its user, so the account was deleted meanwhile.
  return isForeignKeyViolation(error) ? "skipped" : "unexpected";
}

async function claimTurns({ job, range, transaction }: TurnTaking, moment: Date, after: string | null): Promise<Claim> {
  const { claim, claimed, last_user, seen, out_of_attempts, is_last } = await transaction((tx) =>
    call(tx, "claim_assistant_turns", {
      job,
      moment,
      afterUserId: after,
      limit: BATCH_SIZE,
      ...(range.upTo !== null && { upToUserId: range.upTo }),
    }),
  );
  return { id: claim, userIds: claimed, seen, outOfAttempts: out_of_attempts, lastUserId: last_user, isLast: is_last };
}

function people(count: number): string {
  return count === 1 ? "1 person" : `${count} people`;
}
