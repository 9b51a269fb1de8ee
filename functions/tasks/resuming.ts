import { all } from "#database/query";
import type { Services } from "#http/services/services";
import { queueRunningImports } from "../imports/continue.ts";

/** How often a process looks for work of processes that have died, in milliseconds. */
const LOOK_MS = 5_000;

/**
 * Queues the imports and exports whose process has died: their leases have expired, and no one has ended them. At first it
 * queues all running imports, because those that had waited in the process have no lease. Work that failed has ended its
 * lease; the scheduled jobs try it again.
 * @returns how to stop it
 */
export function resumeLeftWork(services: Services): () => void {
  const { database, queue, stopping } = services;
  let isFirst = true;
  let isLooking = false;
  const look = async () => {
    if (isFirst) await queueRunningImports(services, database.asService);
    isFirst = false;
    const left = await database.asService(
      (tx) => all<{ name: "import" | "export"; id: string }>(tx)`
        select name, key as id from private.leases where name in ('import', 'export') and expires_at <= now()
      `,
    );
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
