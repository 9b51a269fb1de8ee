import { setTimeout } from "node:timers/promises";
import { AppError } from "#core/errors";
import { VendorFailure } from "./vendor-failure.ts";

/**
 * Calls a vendor, with a limit for the whole call, its retries and reading the response included: SDKs only limit each
 * attempt, and mostly only until its first byte, but a function is ended at a fixed time.
 * @throws AppError of the call itself, else provider.failed with a `VendorFailure` as its cause, or without one after a timeout
 */
export async function callVendor<Result>(timeoutMs: number, call: () => Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new AppError("provider.failed");
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (error) {
    throw asVendorFailure(error);
  } finally {
    timer.abort();
  }
}

/** The error of a failed call. */
export function asVendorFailure(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("provider.failed", { cause: new VendorFailure(error) });
}
