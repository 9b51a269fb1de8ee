import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";

/**
 * Counts units against a quota of the caller, if they still fit.
 * @param name what is counted
 * @param units how many are wanted now
 * @param most how many fit into one period
 * @throws AppError 429 with Retry-After when they do not fit
 */
export async function useQuota(
  tx: Tx,
  name: string,
  units: number,
  most: number,
  period: "hour" | "day",
): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select private.use_quota(${name}, ${units}::int, ${most}::int, ${period}) as wait
  `.execute(tx);
  const seconds = rows[0]?.wait ?? 0;
  if (seconds > 0) {
    throw new AppError("ai.quota_exhausted", `This may be done ${most} times in one ${period}, try again later.`, {
      headers: { "Retry-After": String(seconds) },
    });
  }
}
