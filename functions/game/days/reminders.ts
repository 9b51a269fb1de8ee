import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../../schedules.ts";

/** People that one transaction reminds. */
const BATCH = 5_000;

/** Reminds players whose window opens within half an hour, once per date, and again if the window was moved since. */
export const remindPlayers = job(scheduleOf("check-in-reminders"), async ({ services, now, forEachBatch }) => {
  const { seen: reminded } = await forEachBatch(BATCH, async (tx) => ({
    seen: await remindBatch(tx, now),
    counts: {},
  }));
  await wakePushes(services);
  return { reminded };
});

async function remindBatch(tx: Tx, now: Date): Promise<number> {
  return call(tx, "remind_players", { moment: now, max: BATCH });
}
