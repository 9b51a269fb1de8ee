/**
 * How long a vendor that refused a call because there were too many asks us to wait.
 * @param retryAfter the header `retry-after` in seconds, if there was one
 * @param otherwise milliseconds to wait when the header says nothing
 * @returns milliseconds
 */
export function pauseAfter(retryAfter: string | null | undefined, otherwise: number): number {
  const seconds = Number(retryAfter ?? "");
  return seconds > 0 ? seconds * 1_000 : otherwise;
}
