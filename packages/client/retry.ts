import { NectarError } from "./errors.ts";

/** A longer `Retry-After` is left to the caller: such a limit ends tomorrow or next month. */
const MAX_RETRY_AFTER_SECONDS = 30;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;

/**
 * Repeats an attempt that failed for reasons that may pass: the network, 429 and 503. It waits a random time up to a limit
 * that doubles, after what `Retry-After` asks for.
 * @throws NectarError of the last attempt
 */
export async function withRetries<Result>(
  retries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NectarError) || failed >= retries || !mayPass(error, failed)) throw error;
      const spread = Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failed);
      await sleep((error.retryAfterSeconds ?? 0) * 1_000 + spread, signal);
    }
  }
}

function mayPass({ status, code, retryAfterSeconds }: NectarError, failedBefore: number): boolean {
  if (retryAfterSeconds !== null && retryAfterSeconds > MAX_RETRY_AFTER_SECONDS) return false;
  // A feature that is not set up stays so.
  if (code === "provider.not_configured") return false;
  // It would take the database as long again.
  if (code === "service.query_timeout") return false;
  // Our own earlier attempt is still running; its response is what we want.
  if (code === "idempotency.in_progress") return failedBefore > 0;
  return status === 0 || status === 429 || status === 503;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOfAbort(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Why the caller aborted. The signals of React Native have no reason. */
export function reasonOfAbort(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? Object.assign(new Error("The call was aborted."), { name: "AbortError" });
}
