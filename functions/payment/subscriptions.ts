import { sql } from "kysely";
import { AppError, type Issue } from "#core/errors";
import type { Tx } from "#database/database";
import { Subscription } from "./schema.ts";

/** Reads the caller's subscription: the active one, else the newest, else null. */
export async function readSubscription(tx: Tx, userId: string): Promise<Subscription | null> {
  const subscription = await tx
    .selectFrom("subscriptions")
    .select(Subscription.keyof().options)
    .where("user_id", "=", userId)
    .orderBy(sql`status = 'active'`, "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return subscription ?? null;
}

/**
 * Reads the caller's customer id at the payment processor; null before the first subscription.
 * @throws AppError payment.already_subscribed
 */
export async function customerForCheckout(tx: Tx, userId: string): Promise<string | null> {
  const subscription = await readSubscription(tx, userId);
  if (subscription?.status === "active") throw new AppError("payment.already_subscribed");
  return subscription?.payment_customer_id ?? null;
}

/** Reads the caller's customer id at the payment processor. @throws AppError payment.no_customer */
export async function customerForPortal(tx: Tx, userId: string): Promise<string> {
  const subscription = await readSubscription(tx, userId);
  if (subscription === null) throw new AppError("payment.no_customer");
  return subscription.payment_customer_id;
}

/**
 * Checks that the payment processor will send users back to our own pages only.
 * @param origins the origins of our pages; empty allows every address
 * @throws AppError request.invalid with an issue for each other address
 */
export function checkReturnUrls(origins: readonly string[], urls: Readonly<Record<string, string>>): void {
  if (origins.length === 0) return;
  const issues: Issue[] = Object.entries(urls)
    .filter(([, url]) => !origins.includes(new URL(url).origin))
    .map(([path]) => ({ path, message: "must be an address of the application" }));
  if (issues.length > 0) throw new AppError("request.invalid", { issues });
}
