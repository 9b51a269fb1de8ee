import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../../schedules.ts";

/** People that one transaction reminds. */
const SLICE = 5_000;

/** Reminds players whose window opens within half an hour, once per date, and again if the window was moved since. */
export const remindPlayers = job(scheduleOf("check-in-reminders"), async ({ services, now, forEachSlice }) => {
  const { seen: reminded } = await forEachSlice(SLICE, async (tx) => ({
    seen: await remindSlice(tx, now),
    counts: {},
  }));
  await wakePushes(services);
  return { reminded };
});

async function remindSlice(tx: Tx, now: Date): Promise<number> {
  return call(tx, "remind_players", { moment: now, max: SLICE });
}
