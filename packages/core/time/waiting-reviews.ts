/** What an admin decides about, in the order in which the health check names it. */
export const REVIEW_KINDS = ["report", "appeal", "checkin"] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** A kind of review whose oldest one has waited for too long. */
export interface WaitingReview {
  readonly kind: ReviewKind;
  /** Whole hours that the oldest one has waited. */
  readonly hours: number;
}

const HOUR_MS = 3_600_000;

/**
 * The kinds of reviews whose oldest one has waited for longer than allowed.
 * @param oldest since when the oldest of a kind waits
 * @param maxHours 0 allows any time
 */
export function waitingReviews(
  oldest: readonly { readonly kind: string; readonly since: string }[],
  maxHours: number,
  now: Date,
): WaitingReview[] {
  if (maxHours === 0) return [];
  return REVIEW_KINDS.flatMap((kind) => {
    const since = oldest.find((review) => review.kind === kind)?.since;
    if (since === undefined) return [];
    const waitedMs = now.getTime() - Date.parse(since);
    return waitedMs > maxHours * HOUR_MS ? [{ kind, hours: Math.floor(waitedMs / HOUR_MS) }] : [];
  });
}
