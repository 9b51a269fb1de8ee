import { job } from "#http/jobs/jobs";
import { queueWork } from "#http/jobs/wake";
import { scheduleOf } from "../schedules.ts";

/** Queues all running imports. One that is being worked on is left alone. */
export const continueImports = job(scheduleOf("imports"), async (context) => ({
  queued: await queueWork(context, "import"),
}));
