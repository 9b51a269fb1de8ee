const SECOND_MS = 1_000;
const MAX_WAIT_MS = 24 * 60 * 60 * SECOND_MS;

/**
 * How long to wait after a vendor refused a call because of its rate limit, in milliseconds.
 * @param retryAfter the header `retry-after` in seconds, if there was one
 * @param defaultMs for a missing or unreadable header
 */
export function pauseAfter(retryAfter: string | null | undefined, defaultMs: number): number {
  const seconds = Number(retryAfter ?? "");
  return seconds > 0 ? seconds * SECOND_MS : defaultMs;
}

/**
 * How long a vendor asks to wait, in milliseconds, at most a day.
 * @param retryAfter the header `retry-after`, in seconds or as a date (RFC 9110)
 * @returns null if the header is missing, unreadable, or over
 */
export function readRetryAfter(retryAfter: string | null | undefined, now: Date): number | null {
  const text = retryAfter?.trim() ?? "";
  // A date has the name of its day; anything shorter would be read as a year.
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * SECOND_MS
    : /^[A-Z][a-z]+,? /.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, MAX_WAIT_MS) : null;
}
