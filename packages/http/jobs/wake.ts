import type { Task } from "#core/work/tasks";
import type { Services } from "../services/services.ts";
import { describeFailure } from "../telemetry/logging.ts";
import type { WorkerContext } from "./jobs.ts";

/** How long waking a worker may delay a response, in milliseconds. The first one of a process may wait until the SDK is loaded. */
const WAKE_MS = 1_000;
/** Tasks that are queued at once. */
const MAX_QUEUED = 1_000;

/** Wakes a worker for the push messages of committed notifications. */
export function wakePushes(services: Services): Promise<void> {
  return wake(services, { name: "push" });
}

/** Wakes a worker for the entries that a change of a notebook, membership or group may have left to write. */
export function wakeShares(services: Services): Promise<void> {
  return wake(services, { name: "shares" });
}

/** Wakes a worker for what was committed. Never throws: the scheduled job does what it misses. */
export async function wake({ queue, logger }: Services, task: Task): Promise<void> {
  try {
    await queue.send([task], WAKE_MS);
  } catch (error) {
    logger.warn(describeFailure(error), "no worker was woken");
  }
}

/** Queues the work of a kind that is not done. Workers leave alone what is claimed. @returns how many tasks it queued */
export async function queueWork(
  { services: { queue }, transaction }: Pick<WorkerContext, "services" | "transaction">,
  name: "import" | "export",
): Promise<number> {
  const work = await transaction((tx) =>
    tx.selectFrom("private.work").select("key").where("kind", "=", name).orderBy("due_at").limit(MAX_QUEUED).execute(),
  );
  await queue.send(work.map(({ key }) => ({ name, id: key })));
  return work.length;
}
