import { job } from "@nectar/http/jobs";
import { deliverDue } from "@nectar/notifications/deliver";
import { scheduleOf } from "../schedules.ts";

/** Pushes what requests and other jobs had no time for, and what a push service put off. */
export const retryPushes = job(scheduleOf("push-retries"), async ({ services, msLeft }) => ({
  ...(await deliverDue(services, { budgetMs: msLeft() })),
}));
