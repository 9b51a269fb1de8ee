import { setTimeout as wait } from "node:timers/promises";
import type { Tx } from "@nectar/database/database";
import { value } from "@nectar/database/query";
import { ALREADY_RUNNING, type BudgetedWork, type JobResponse, job } from "@nectar/http/jobs";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import { scheduleOf } from "../schedules.ts";
import { sendReceipts } from "./receipts.ts";

/** Longer than a run takes to end after its last search for due accounts, in milliseconds. */
const RUN_END_MS = 1_000;

/**
 * Erases the accounts that are due, step by step: the subscriptions are cancelled at the processor, the account is deleted
 * with everything that belongs to it, and a receipt is mailed. Cancels subscriptions that were created afterwards. Each
 * step may be repeated, so the next run finishes what a crash has interrupted.
 */
export const eraseAccounts = job(scheduleOf("erasures"), async ({ services, now, transaction, outOfTime }) => {
  const counts = { erased: 0, failed: 0, late_subscriptions: 0 };
  // What fails is tried again by the next run, and does not keep the others from being done.
  const attempt = async (count: "erased" | "late_subscriptions", failure: string, work: () => Promise<boolean>) => {
    try {
      if (await work()) counts[count] += 1;
    } catch (error) {
      services.logger.error(describeFailure(error), failure);
      counts.failed += 1;
    }
  };
  for (const userId of await transaction((tx) => readDueAccounts(tx, now))) {
    if (outOfTime()) break;
    await attempt("erased", "an account could not be erased", () => erase(services, { userId, now, transaction }));
  }
  for (const subscription of await transaction(readLateSubscriptions)) {
    if (outOfTime()) break;
    await attempt("late_subscriptions", "a subscription of an erased person could not be cancelled", async () => {
      await cancel(services, [subscription]);
      await transaction((tx) => forgetLateSubscription(tx, subscription));
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
    .orderBy("erases_at")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** @returns false if the account was restored meanwhile, or is gone already */
async function erase(
  services: Pick<Services, "payments">,
  { userId, now, transaction }: { readonly userId: string; readonly now: Date } & Pick<BudgetedWork, "transaction">,
): Promise<boolean> {
  const subscriptions = await transaction((tx) => startErasure(tx, userId, now));
  if (subscriptions === null) return false;
  await cancel(services, subscriptions);
  return transaction((tx) => deleteAccount(tx, userId, { subscriptions, now }));
}

/** @throws Error if they could not be cancelled at the processor */
async function cancel({ payments }: Pick<Services, "payments">, subscriptions: readonly string[]): Promise<void> {
  if (subscriptions.length > 0 && payments === null) throw new Error("There is no payment processor to cancel at.");
  for (const subscription of subscriptions) await payments?.cancelSubscription(subscription);
}

/** The subscriptions that people created after they were erased. */
async function readLateSubscriptions(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom("private.subscriptions_to_cancel").select("payment_subscription_id").execute();
  return rows.map(({ payment_subscription_id }) => payment_subscription_id);
}

async function forgetLateSubscription(tx: Tx, subscription: string): Promise<void> {
  await tx.deleteFrom("private.subscriptions_to_cancel").where("payment_subscription_id", "=", subscription).execute();
}

/** @returns the ids of the subscriptions to cancel; null if the account is not due any more */
function startErasure(tx: Tx, userId: string, now: Date): Promise<string[] | null> {
  return value<string[] | null>(tx)`select private.start_erasure(${userId}, ${now.toISOString()}::timestamptz)`;
}

async function deleteAccount(
  tx: Tx,
  userId: string,
  { subscriptions, now }: { readonly subscriptions: readonly string[]; readonly now: Date },
): Promise<boolean> {
  // A person may have 100,000 entries, and deletions run one at a time.
  await sql`set local statement_timeout = '3min'; set local lock_timeout = '1min'`.execute(tx);
  return value<boolean>(tx)`
    select private.erase_account(${userId}, ${[...subscriptions]}::text[], ${now.toISOString()}::timestamptz)
  `;
}
