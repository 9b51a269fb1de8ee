import { setTimeout } from "node:timers/promises";

/**
 * Limits the time of a whole call to a vendor, with its retries and reading the response. SDKs only limit each attempt,
 * and mostly only until its first byte, but a function is ended at a fixed time.
 * @throws RangeError after the timeout; the call itself continues unobserved
 */
export async function within<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new RangeError("The time for this call is over.");
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    timer.abort();
  }
}
