import { AppError, type ErrorCode } from "#core/errors";
import { call } from "./call.ts";
import type { Tx } from "./transaction.ts";

interface Quota {
  /** The error of a request that exceeds it; null if the request succeeds without what is counted. */
  readonly error: ErrorCode | null;
  /** How the reference states it. */
  readonly sentence: `${string}{max}${string}{period}${string}`;
}

/** Every quota by its name in `private.quotas()`, which alone says how many units a person may use in which period. */
export const QUOTAS = {
  tone_analysis: { error: "ai.quota_exhausted", sentence: "You can analyze {max} texts per {period}." },
  background_generation: { error: "ai.quota_exhausted", sentence: "You can generate {max} per {period}." },
  tone_pack_images: { error: "ai.quota_exhausted", sentence: "You can generate {max} images per {period}." },
  tone_pack_share: {
    error: "quota.exhausted",
    sentence: "You can try {max} addresses per {period}; addresses without an account count too.",
  },
  member_add: {
    error: "quota.exhausted",
    sentence: "You can add {max} people to organizations and teams per {period}.",
  },
  invitation: {
    error: "quota.exhausted",
    sentence:
      "You can create {max} invitations by address per {period}, and so can all people of an organization together.",
  },
  window_change: {
    error: "quota.exhausted",
    sentence: "You can change your window and location {max} times per {period} in total.",
  },
  chain_generation: { error: "quota.exhausted", sentence: "You can do this {max} times per {period}." },
  checkin_upload: { error: "checkin.too_many_uploads", sentence: "You can request {max} addresses per {period}." },
  photo_examination: { error: "quota.exhausted", sentence: "Up to {max} of your photos are examined per {period}." },
  picture_upload: { error: "quota.exhausted", sentence: "You can request {max} addresses per {period}." },
  picture_examination: {
    error: "quota.exhausted",
    sentence: "Up to {max} of your pictures are examined per {period}.",
  },
  team_message: {
    error: "quota.exhausted",
    sentence: "You can send {max} messages and comments per {period} in total.",
  },
  goal_update: {
    error: null,
    sentence: "A team is notified of up to {max} of your check-ins per {period}; beyond that they are only stored.",
  },
  report: { error: "quota.exhausted", sentence: "You can make {max} new reports per {period}." },
  journal_import: { error: "quota.exhausted", sentence: "You can request {max} addresses per {period}." },
  journal_import_start: {
    error: "quota.exhausted",
    sentence: "You can start {max} imports per {period}, dry runs included.",
  },
  import_picture: {
    error: null,
    sentence:
      "You can import {max} pictures per {period}: an archive with more fails as `picture_limit` before an entry is created.",
  },
  entry_mood: {
    error: null,
    sentence: "It does so for at most {max} new or changed entries per {period}.",
  },
  changes: { error: "quota.exhausted", sentence: "You can call it {max} times per {period}." },
  export: { error: "quota.exhausted", sentence: "You can ask for {max} exports per {period}." },
} as const satisfies Record<string, Quota>;

/** The name of a quota. */
export type QuotaName = keyof typeof QUOTAS;

/**
 * Counts units against a quota of the caller. Nothing is counted if they do not fit, or if the transaction rolls back.
 * @throws AppError 429 with Retry-After if the quota has fewer units left
 */
export async function consumeQuota(tx: Tx, name: QuotaName, units = 1): Promise<void> {
  requireUnits(name, await call(tx, "consume_quota", { quota: name, units }));
}

/** Counts a unit against a quota of the caller. @returns false, having counted nothing, if it is used up */
export async function hasQuotaLeft(tx: Tx, name: QuotaName): Promise<boolean> {
  return (await call(tx, "consume_quota", { quota: name, units: 1 })) === 0;
}

/** @param seconds what `private.consume_quota` returned @throws AppError 429 with Retry-After if nothing was counted */
export function requireUnits(name: QuotaName, seconds: number): void {
  if (seconds > 0) throw new AppError(QUOTAS[name].error ?? "quota.exhausted", { retryAfterSeconds: seconds });
}
