import { all } from "#database/query";
import type { Services } from "#http/services/services";

/** How often a process looks for work of processes that have died, in milliseconds. */
const LOOK_MS = 5_000;

/**
 * Queues the imports and exports whose process has died: their claims have expired. At first it queues all that are due,
 * because those that had waited in the process were not claimed. Work that failed was released; the scheduled jobs try it
 * again.
 * @returns how to stop it
 */
export function resumeLeftWork(services: Services): () => void {
  const { database, queue, stopping } = services;
  let isFirst = true;
  let isLooking = false;
  const look = async () => {
    const left = await database.asService(
      (tx) => all<{ name: "import" | "export"; id: string }>(tx)`
        select kind as name, key as id from private.work
        where kind in ('import', 'export') and due_at <= now() and (claim is not null or ${isFirst})
      `,
    );
    isFirst = false;
    await queue.send(left);
  };
  const timer = setInterval(() => {
    if (isLooking || stopping.aborted) return;
    isLooking = true;
    // While the database is away, the next look finds what is left.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
