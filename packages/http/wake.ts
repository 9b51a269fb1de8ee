import { describeFailure } from "./logging.ts";
import type { Services } from "./services.ts";

/** How long waking a walker may delay a response, in milliseconds. Only the first one of a process, which loads the SDK, needs it. */
const WAKE_MS = 1_000;

/**
 * Wakes a walker for the push messages of committed notifications. Never throws: the scheduled job delivers what it
 * misses.
 */
export async function wakePushes({ queue, logger }: Pick<Services, "queue" | "logger">): Promise<void> {
  try {
    await queue.send([{ name: "push" }], WAKE_MS);
  } catch (error) {
    logger.warn(describeFailure(error), "no walker was woken");
  }
}
