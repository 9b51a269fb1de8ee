/**
 * How long to wait after a vendor refused a call because of its rate limit, in milliseconds.
 * @param retryAfter the header `retry-after` in seconds, if there was one
 * @param defaultMs for a missing or unreadable header
 */
export function pauseAfter(retryAfter: string | null | undefined, defaultMs: number): number {
  const seconds = Number(retryAfter ?? "");
  return seconds > 0 ? seconds * 1_000 : defaultMs;
}
