import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { ALREADY_RUNNING, type JobContext, type JobResponse, job } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { scheduleOf } from "../../schedules.ts";
import { sendReceipts } from "./receipts.ts";

interface EraseOptions {
  /** Rows that one transaction deletes. */
  readonly batch: number;
}

/** Longer than a run takes to end after its last search for due accounts, in milliseconds. */
const RUN_END_MS = 1_000;

/** Rows that one transaction deletes, so that it does not keep its locks for long. */
const BATCH = 2_000;
/** Slices of an account in a row; then the other accounts go on. */
const MAX_BATCHES = 10;

/**
 * Erases the accounts that are due, step by step: most rows are deleted in batches, the subscriptions are cancelled at the
 * processor, the account is deleted with everything that still belongs to it, and a receipt is mailed. Cancels
 * subscriptions that were created afterwards. Each step may be repeated, so the next run finishes what a crash has
 * interrupted. Neither a large account nor one that fails delays the others: accounts with fewer attempts come first.
 */
export const eraseAccounts = job<EraseOptions>(scheduleOf("erasures"), async (context) => {
  const { services, now, transaction, outOfTime } = context;
  const counts = { erased: 0, failed: 0, late_subscriptions: 0 };
  // One failure does not keep the other accounts from being erased; the next run tries it again.
  const attempt = async (count: "erased" | "late_subscriptions", failure: string, work: () => Promise<boolean>) => {
    try {
      if (await work()) counts[count] += 1;
    } catch (error) {
      services.logger.error(describeFailure(error), failure);
      counts.failed += 1;
    }
  };
  const due = await transaction((tx) => readDueAccounts(tx, now));
  for (const userId of due) {
    if (outOfTime()) break;
    await attempt("erased", "an account could not be erased", async () => {
      const result = await erase(context, userId);
      if (result === "interrupted") due.push(userId);
      return result === "erased";
    });
  }
  for (const subscription of await transaction(readLateSubscriptions)) {
    if (outOfTime()) break;
    await attempt("late_subscriptions", "a subscription of an erased person could not be cancelled", async () => {
      await cancel(services, [subscription]);
      await transaction((tx) => deleteLateSubscription(tx, subscription));
      return true;
    });
  }
  return { ...counts, ...(await sendReceipts(services, { transaction, outOfTime })) };
});

/** Runs the job after a request, also if a run has just ended without having seen its account. */
export async function eraseSoon(services: Services): Promise<JobResponse> {
  const response = await eraseAccounts.run(services);
  if (response.message !== ALREADY_RUNNING) return response;
  await wait(RUN_END_MS);
  return eraseAccounts.run(services);
}

async function readDueAccounts(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom("accounts")
    .select("user_id")
    .where("erases_at", "<=", now.toISOString())
    .orderBy("erasure_attempts")
    .orderBy("erases_at")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/**
 * Erases an account, or a part of it if it is large.
 * @returns interrupted if there is more to delete; kept if the account was restored meanwhile, is gone already, or has
 * another subscription
 */
async function erase(
  { services, now, options, transaction, outOfTime }: JobContext<EraseOptions>,
  userId: string,
): Promise<"erased" | "interrupted" | "kept"> {
  const { batch = BATCH } = options;
  const subscriptions = await transaction((tx) => startErasure(tx, userId, now));
  if (subscriptions === null) return "kept";
  for (let batches = 1; (await transaction((tx) => eraseRows(tx, userId, batch))) >= batch; batches += 1) {
    if (batches >= MAX_BATCHES || outOfTime()) return "interrupted";
  }
  const remove = (cancelled: readonly string[]) => transaction((tx) => deleteAccount(tx, userId, { cancelled, now }));
  try {
    await cancel(services, subscriptions);
  } catch (error) {
    // The database waits for a week. Then the subscriptions are cancelled after the erasure.
    if (!(await remove([]))) throw error;
    return "erased";
  }
  return (await remove(subscriptions)) ? "erased" : "kept";
}

/** @throws Error if they could not be cancelled at the processor */
async function cancel({ payments }: Pick<Services, "payments">, subscriptions: readonly string[]): Promise<void> {
  if (subscriptions.length > 0 && payments === null) throw new Error("There is no payment processor to cancel at.");
  for (const subscription of subscriptions) await payments?.cancelSubscription(subscription);
}

/** The subscriptions of people who are erased already. */
async function readLateSubscriptions(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom("private.subscriptions_to_cancel").select("payment_subscription_id").execute();
  return rows.map(({ payment_subscription_id }) => payment_subscription_id);
}

async function deleteLateSubscription(tx: Tx, subscription: string): Promise<void> {
  await tx.deleteFrom("private.subscriptions_to_cancel").where("payment_subscription_id", "=", subscription).execute();
}

/** @returns the ids of the subscriptions to cancel; null if the account is not due any more */
function startErasure(tx: Tx, userId: string, now: Date): Promise<string[] | null> {
  return call(tx, "start_erasure", { userId, moment: now });
}

/** @returns how many rows were deleted */
function eraseRows(tx: Tx, userId: string, max: number): Promise<number> {
  return call(tx, "erase_rows", { userId, max });
}

async function deleteAccount(
  tx: Tx,
  userId: string,
  { cancelled, now }: { readonly cancelled: readonly string[]; readonly now: Date },
): Promise<boolean> {
  // Deletions run one at a time, and others may delete large accounts at once. Two statements could not be prepared.
  await sql`select set_config('statement_timeout', '3min', true), set_config('lock_timeout', '1min', true)`.execute(tx);
  return call(tx, "erase_account", { userId, cancelled, moment: now });
}
