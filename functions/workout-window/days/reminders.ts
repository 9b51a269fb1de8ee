import type { Tx } from "@nectar/database/database";
import { type JobResponse, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";

/** People whom one transaction reminds. */
const SLICE = 5_000;
/** A reminder is of use now: what is not pushed within this time goes by the scheduled job. */
const PUSH_BUDGET_MS = 20_000;

/** Reminds everybody whose window opens within half an hour, once for a date, and once more when the window was moved since. */
export async function remindPlayers(services: Services): Promise<JobResponse> {
  const done = await runJob(services, { job: "check-in-reminders", key: "all" }, async ({ slice, outOfTime }) => {
    const now = services.clock.now();
    let reminded = 0;
    for (;;) {
      const count = await slice((tx) => remindSlice(tx, now));
      reminded += count;
      if (count < SLICE || outOfTime()) return { reminded };
    }
  });
  await deliverPushes(services, { budgetMs: PUSH_BUDGET_MS });
  return done;
}

async function remindSlice(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ reminded: number }>`
    select private.remind_players(${now.toISOString()}::timestamptz, ${SLICE}) as reminded
  `.execute(tx);
  return rows[0]?.reminded ?? 0;
}
