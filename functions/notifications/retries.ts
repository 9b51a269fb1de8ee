import { job } from "#http/jobs/jobs";
import { deliverPushes } from "#notifications/deliver";
import { scheduleOf } from "../schedules.ts";

/**
 * Delivers due pushes: those of a wake-up that was lost, those that a push service could not accept, and those that waited
 * for the end of quiet hours.
 */
export const retryPushes = job(scheduleOf("push-retries"), async ({ services, msLeft }) => ({
  ...(await deliverPushes(services, msLeft())),
}));
