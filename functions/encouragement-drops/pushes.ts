import { deliverPushes, type PushServices } from "@nectar/notifications/deliver";

/** How long a request waits for the pushes that it caused; the scheduled job delivers the rest. */
const BUDGET_MS = 1_500;

/** Pushes to people what a request notified them of, after its commit. Never throws. */
export async function pushTo(services: PushServices, recipients: readonly string[]): Promise<void> {
  await deliverPushes(services, { recipients, budgetMs: BUDGET_MS });
}
