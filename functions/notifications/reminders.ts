import { call, only } from "#database/call";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../schedules.ts";

/** People that one transaction looks at. */
const BATCH = 5_000;

/** Reminds people to write, once on a local date, from the time on that they chose. */
export const remindToWrite = job(scheduleOf("journal-reminders"), async ({ services, now, forEachBatch }) => {
  const { reminded } = await forEachBatch(BATCH, async (tx) => {
    const { seen, ...counts } = only(await call(tx, "remind_to_write", { moment: now, max: BATCH }));
    return { seen, counts };
  });
  await wakePushes(services);
  return { reminded };
});
