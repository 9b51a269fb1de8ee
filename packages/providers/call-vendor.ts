import { setTimeout } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";

/**
 * Calls a vendor, with a limit for the whole call, its retries and reading the response included: SDKs only limit each
 * attempt, and mostly only until its first byte, but a function is ended at a fixed time.
 * @throws AppError of the call itself, else provider.failed without the vendor's message, which may contain keys and names
 */
export async function callVendor<Result>(timeoutMs: number, call: () => Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new AppError("provider.failed");
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("provider.failed");
  } finally {
    timer.abort();
  }
}
