import { AppError, type ErrorCode } from "@nectar/core/errors";
import { value } from "./query.ts";
import type { Tx } from "./transaction.ts";

/** The error code of each quota. Limits and periods are in `private.quotas()`, which has the same names. */
export const QUOTA_ERRORS = {
  tone_analysis: "ai.quota_exhausted",
  background_generation: "ai.quota_exhausted",
  tone_pack_images: "ai.quota_exhausted",
  tone_pack_share: "quota.exhausted",
  member_add: "quota.exhausted",
  invitation: "quota.exhausted",
  window_change: "quota.exhausted",
  chain_generation: "quota.exhausted",
  checkin_upload: "checkin.too_many_uploads",
  photo_examination: "quota.exhausted",
  team_message: "quota.exhausted",
  report: "quota.exhausted",
  journal_import: "quota.exhausted",
  journal_import_start: "quota.exhausted",
  entry_mood: "ai.quota_exhausted",
  export: "quota.exhausted",
} as const satisfies Record<string, ErrorCode>;

/** The name of a quota. */
export type QuotaName = keyof typeof QUOTA_ERRORS;

/**
 * Counts units against a quota of the caller. Nothing is counted if they do not fit, or if the transaction rolls back.
 * @throws AppError 429 with Retry-After if the quota has fewer units left
 */
export async function consumeQuota(tx: Tx, name: QuotaName, units = 1): Promise<void> {
  requireUnits(name, await value<number>(tx)`select private.consume_quota(${name}, ${units}::int)`);
}

/** Counts a unit against a quota of the caller. @returns false, having counted nothing, if it is used up */
export async function hasQuotaLeft(tx: Tx, name: QuotaName): Promise<boolean> {
  return (await value<number>(tx)`select private.consume_quota(${name}, 1)`) === 0;
}

/** @param seconds what `private.consume_quota` returned @throws AppError 429 with Retry-After if nothing was counted */
export function requireUnits(name: QuotaName, seconds: number): void {
  if (seconds > 0) throw new AppError(QUOTA_ERRORS[name], { retryAfterSeconds: seconds });
}
