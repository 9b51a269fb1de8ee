import { utcMonth } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";
import { readBalance } from "./drops.ts";
import type { MonthlyAwardResponse } from "./schema.ts";

/** Few enough people that the locks on their accounts are short. */
const BATCH = 10_000;

/** Gives the caller the drops of the current month, unless they have them. @throws AppError 401 if the account was deleted */
export async function claimMonthlyDrops(tx: Tx, userId: string, now: Date): Promise<MonthlyAwardResponse> {
  const amount = await call(tx, "award_monthly_drops", { moment: now });
  return { awarded: amount > 0, amount, balance: await readBalance(tx, userId), month: utcMonth(now) };
}

/** Gives the drops of the current month to everyone who does not have them. The next run completes one that was stopped. */
export const awardMonthlyDrops = job(
  scheduleOf("monthly-drops"),
  async ({ forEachBatch, key: month, errors }) => {
    const { seen, awarded, failed } = await forEachBatch(BATCH, (tx, after: string | null) =>
      awardBatch(tx, month, after),
    );
    if (failed > 0) errors.push("Some balances cannot hold more drops.");
    return { total: seen, awarded, skipped: seen - awarded - failed, failed, errors };
  },
  { key: utcMonth },
);

async function awardBatch(tx: Tx, month: string, after: string | null) {
  const { last_user, seen, ...counts } = await call(tx, "award_monthly_batch", {
    month: `${month}-01`,
    afterUserId: after,
    limit: BATCH,
  });
  return { seen, counts, cursor: last_user };
}
