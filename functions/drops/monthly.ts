import type { Tx } from "@nectar/database/database";
import { all, one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { scheduleOf } from "../schedules.ts";
import { readBalance } from "./drops.ts";
import type { MonthlyAwardResponse } from "./schema.ts";

/** People whom one transaction awards: few enough that nobody waits long for their account. */
const SLICE = 10_000;

/** Gives the caller the drops of the current month, unless they have them. @throws AppError 401 when the account is gone */
export async function awardMonth(tx: Tx, userId: string, now: Date): Promise<MonthlyAwardResponse> {
  const { amount } = await one<{ amount: number }>(tx)`
    select private.award_monthly_drops(${now.toISOString()}) as amount
  `;
  return { awarded: amount > 0, amount, balance: await readBalance(tx, userId), month: monthOf(now) };
}

/**
 * Gives everybody the drops of the current month who does not have them. Each slice is for good when it is done, so a run
 * that ends in the middle is completed by the next.
 */
export const awardEverybody = job(
  scheduleOf("monthly-drops"),
  async ({ forEachSlice, key: month, errors }) => {
    const { seen, awarded, failed } = await forEachSlice(SLICE, (tx, after: string | null) =>
      awardSlice(tx, month, after),
    );
    if (failed > 0) errors.push("Some balances cannot hold more drops.");
    return { total: seen, awarded, skipped: seen - awarded - failed, failed, errors };
  },
  { key: monthOf },
);

async function awardSlice(tx: Tx, month: string, after: string | null) {
  const rows = await all<{ last_user: string; seen: number; awarded: number; failed: number }>(tx)`
    select last_user, seen, awarded, failed
    from private.award_monthly_slice(${firstDayOf(month)}::date, ${after}::uuid, ${SLICE})
  `;
  const [{ last_user: cursor, seen, awarded, failed } = { last_user: "", seen: 0, awarded: 0, failed: 0 }] = rows;
  return { seen, counts: { awarded, failed }, cursor };
}

/** The month by the UTC calendar, `YYYY-MM`. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

function firstDayOf(month: string): string {
  return `${month}-01`;
}
