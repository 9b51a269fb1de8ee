import { one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { wakePushes } from "@nectar/http/wake";
import { scheduleOf } from "../schedules.ts";

/** People that one transaction looks at. */
const SLICE = 5_000;

/** Reminds people to write, once on a local date, from the time on that they chose. */
export const remindToWrite = job(scheduleOf("journal-reminders"), async ({ services, now, forEachSlice }) => {
  const { reminded } = await forEachSlice(SLICE, async (tx) => {
    const { seen, ...counts } = await one<{ seen: number; reminded: number }>(tx)`
      select seen, reminded from private.remind_to_write(${now.toISOString()}::timestamptz, ${SLICE})
    `;
    return { seen, counts };
  });
  await wakePushes(services);
  return { reminded };
});
