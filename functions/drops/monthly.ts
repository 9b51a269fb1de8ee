import type { Tx } from "@nectar/database/database";
import { type JobResponse, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import { readBalance } from "./drops.ts";
import type { MonthlyAwardResponse } from "./schema.ts";

/** People whom one transaction awards: few enough that nobody waits long for their account. */
const SLICE = 10_000;

/** Gives the caller the drops of the current month, unless they have them. @throws AppError 401 when the account is gone */
export async function awardMonth(tx: Tx, userId: string, now: Date): Promise<MonthlyAwardResponse> {
  const { rows } = await sql<{ amount: number }>`
    select private.award_monthly_drops(${now.toISOString()}) as amount
  `.execute(tx);
  const amount = rows[0]?.amount ?? 0;
  return { awarded: amount > 0, amount, balance: await readBalance(tx, userId), month: monthOf(now) };
}

/**
 * Gives everybody the drops of the current month who does not have them. Each slice is for good when it is done, so a run
 * that ends in the middle is completed by the next.
 */
export function awardEverybody(services: Services): Promise<JobResponse> {
  const month = monthOf(services.clock.now());
  return runJob(services, { job: "monthly-drops", key: month }, async ({ slice, outOfTime }) => {
    const counts = { total: 0, awarded: 0, failed: 0 };
    const errors: string[] = [];
    let after: string | null = null;
    for (;;) {
      if (outOfTime()) {
        errors.push("The time was up before everybody had their drops; the next run goes on.");
        break;
      }
      const previous: string | null = after;
      const done: SliceResult = await slice((tx) => awardSlice(tx, month, previous));
      counts.total += done.seen;
      counts.awarded += done.awarded;
      counts.failed += done.failed;
      if (done.seen < SLICE) break;
      after = done.last_user;
    }
    if (counts.failed > 0) errors.push("Some balances cannot hold more drops.");
    return { ...counts, skipped: counts.total - counts.awarded - counts.failed, errors };
  });
}

interface SliceResult {
  readonly last_user: string | null;
  readonly seen: number;
  readonly awarded: number;
  readonly failed: number;
}

async function awardSlice(tx: Tx, month: string, after: string | null): Promise<SliceResult> {
  const { rows } = await sql<SliceResult>`
    select last_user, seen, awarded, failed
    from private.award_monthly_slice(${firstDayOf(month)}::date, ${after}::uuid, ${SLICE})
  `.execute(tx);
  return rows[0] ?? { last_user: null, seen: 0, awarded: 0, failed: 0 };
}

/** The month by the UTC calendar, `YYYY-MM`. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

function firstDayOf(month: string): string {
  return `${month}-01`;
}
