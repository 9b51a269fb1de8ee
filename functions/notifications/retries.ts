import { job } from "@nectar/http/jobs";
import { deliverDue } from "@nectar/notifications/deliver";
import { scheduleOf } from "../schedules.ts";

/** Delivers the pushes that requests and other jobs had no time for, and those that a push service could not accept. */
export const retryPushes = job(scheduleOf("push-retries"), async ({ services, msLeft }) => ({
  ...(await deliverDue(services, { budgetMs: msLeft() })),
}));
