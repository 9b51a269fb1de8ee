import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { isForeignKeyViolation } from "@nectar/database/errors";
import { sql } from "kysely";

/** People whom the assistant serves at the same time. */
const BATCH = 5;

/** What went wrong with a person's turn, and how an answer says it: nothing of the person's is in it. */
const FAILURES = {
  silent: "the model did not answer",
  unusable: "the model's reply could not be used",
  unexpected: "something unexpected happened",
} as const;

/** How a person's turn ended: served, not wanted any more (or by nobody: the account is gone), or failed. */
export type TurnEnd = "done" | "skipped" | keyof typeof FAILURES;

/** How a job of the assistant is run. */
export interface TurnTaking {
  readonly job: "note_analysis" | "daily_drop";
  readonly now: () => Date;
  /** Runs work in a transaction of its own, as the service. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Whether nothing more may be begun; the job says so in its results. */
  readonly outOfTime: () => boolean;
  /** Milliseconds between two batches, which keep the model's rate limits. */
  readonly pauseMs: number;
  /** Hears of an error that nobody expected. */
  readonly report: (error: unknown) => void;
}

/** Does what a job is about for one person, under a claim of their turn, as of the moment when it was claimed. */
export type Serve = (userId: string, claim: string, moment: Date) => Promise<TurnEnd>;

/** What came of a run. */
export interface TurnTally {
  /** People whom the job looked at: everybody it is for, or those before the time was up. */
  readonly seen: number;
  readonly done: number;
  readonly failed: number;
  /** Short texts that count by kind what did not go well. */
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
 * Serves everybody whose turn it is, in batches, each person at most once in a run. A turn is claimed before and ended
 * after it in transactions of their own, so that what is done stays done, and a person whose turn fails is tried again by
 * a later run of the same UTC day, three times in all, after twenty minutes and then after two hours.
 * @param serve does what the job is about for one person, ends the turn when it is done, and tells how it went;
 *   it gets the id of the claim, under which alone it may end the turn, and the moment of the claim, whose day it serves
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
    // The claim runs out by itself.
    report(error);
  }
  return end;
}

function endOf(error: unknown): TurnEnd {
  if (error instanceof AppError && error.code === "provider.failed") return "silent";
  // All that a turn writes refers to its person, who has closed their account meanwhile.
  return isForeignKeyViolation(error) ? "skipped" : "unexpected";
}

async function claimTurns(tx: Tx, job: TurnTaking["job"], moment: Date, after: string | null): Promise<Claim> {
  const { rows } = await sql<Claim>`
    select claim, claimed, last_user, seen, given_up, is_last
    from private.claim_assistant_turns(${job}, ${moment.toISOString()}::timestamptz, ${after}::uuid, ${BATCH})
  `.execute(tx);
  const [claim] = rows;
  if (claim === undefined) throw new Error("A claim of turns is always one row.");
  return claim;
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
