import { setTimeout } from "node:timers/promises";

/**
 * Waits for a call to a vendor, but no longer than so many milliseconds, retries and reading the answer included. SDKs
 * bound each attempt, and mostly only its silence; a function is ended at a fixed time, whatever it waits for.
 * @throws RangeError when the time is over; what is still under way is left to itself
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
