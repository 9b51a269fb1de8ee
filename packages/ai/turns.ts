import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { isForeignKeyViolation } from "@nectar/database/errors";
import { one } from "@nectar/database/query";
import { sql } from "kysely";

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

/** A job that serves users turn by turn. */
export interface TurnTaking {
  readonly job: "note_analysis" | "daily_drop";
  readonly now: () => Date;
  /** Runs a separate transaction as the service. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Whether the budget is used up; the job says so in its results. */
  readonly outOfTime: () => boolean;
  /** Milliseconds between two batches, because of the model's rate limits. */
  readonly pauseMs: number;
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
  /** Short texts that count the failures by kind. */
  readonly errors: string[];
}

interface Claim {
  /** Distinguishes this claim from later ones of the same turns. */
  readonly claim: string;
  readonly claimed: string[];
  readonly last_user: string | null;
  readonly seen: number;
  readonly given_up: number;
  readonly is_last: boolean;
}

/**
 * Serves all users whose turn it is, in batches, each user at most once per run. Turns are claimed and ended in separate
 * transactions. A failed turn is tried again by later runs of the same UTC day: after twenty minutes, and after two hours.
 */
export async function takeTurns(taking: TurnTaking, serve: Serve): Promise<TurnTally> {
  const ends = new Map<TurnEnd, number>();
  let [seen, givenUp] = [0, 0];
  let after: string | null = null;
  while (!taking.outOfTime()) {
    const from: string | null = after;
    const moment = taking.now();
    const claim: Claim = await taking.transaction((tx) => claimTurns(tx, taking.job, moment, from));
    const batch = await Promise.all(
      claim.claimed.map((userId) => takeTurn(taking, { userId, claim: claim.claim, moment }, serve)),
    );
    for (const end of batch) ends.set(end, (ends.get(end) ?? 0) + 1);
    seen += claim.seen;
    givenUp += claim.given_up;
    after = claim.last_user;
    if (claim.is_last) break;
    if (batch.length > 0) await pause(taking.pauseMs);
  }
  const failures = Object.entries(FAILURES).map(([kind, text]) => ({ text, count: countOf(ends, kind) }));
  const errors = failures.filter(({ count }) => count > 0).map(({ text, count }) => `${people(count)}: ${text}.`);
  if (givenUp > 0) errors.push(`${people(givenUp)}: not tried again today after three failures.`);
  return {
    seen,
    done: countOf(ends, "done"),
    failed: failures.reduce((sum, { count }) => sum + count, 0),
    errors,
  };
}

async function takeTurn(
  { job, now, transaction, report }: TurnTaking,
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
    await transaction((tx) => releaseTurn(tx, { job, userId, claim }, now(), end !== "skipped"));
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

async function claimTurns(tx: Tx, job: TurnTaking["job"], moment: Date, after: string | null): Promise<Claim> {
  return one<Claim>(tx)`
    select claim, claimed, last_user, seen, given_up, is_last
    from private.claim_assistant_turns(${job}, ${moment.toISOString()}::timestamptz, ${after}::uuid, ${BATCH_SIZE})
  `;
}

async function releaseTurn(
  tx: Tx,
  { job, userId, claim }: { readonly job: TurnTaking["job"]; readonly userId: string; readonly claim: string },
  moment: Date,
  hasFailed: boolean,
): Promise<void> {
  await sql`
    select private.release_assistant_turn(
      ${userId}, ${job}, ${claim}::uuid, ${moment.toISOString()}::timestamptz, ${hasFailed}
    )
  `.execute(tx);
}

function countOf(ends: ReadonlyMap<string, number>, kind: string): number {
  return ends.get(kind) ?? 0;
}

function people(count: number): string {
  return count === 1 ? "1 person" : `${count} people`;
}
