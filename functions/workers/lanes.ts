import type { Config } from "#config/config";
import { IMPORT_CONCURRENCY, type Task } from "#core/work/tasks";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { openLanes } from "#providers/lanes";
import { byLane } from "#providers/queue";
import { resumeLeftWork } from "./resuming.ts";
import { runTask } from "./run.ts";

/**
 * Builds services whose tasks run in this process, also those that another process left behind when it died.
 * @param instead services that replace the usual ones
 * @returns the services, and how to end them: running tasks finish, spans are sent, and the database is closed
 */
export function servicesWithLanes(
  config: Config,
  instead: Parameters<typeof servicesFor>[1] = {},
): { services: Services; close(): Promise<void> } {
  const run = (task: Task) => runTask(services, task);
  const lanes = {
    tasks: openLanes(config.taskConcurrency, run),
    ranges: openLanes(config.rangeConcurrency, run),
    imports: openLanes(IMPORT_CONCURRENCY, run),
  };
  const services: Services = servicesFor(config, { ...instead, queue: byLane(lanes) });
  const stopResuming = resumeLeftWork(services);
  return {
    services,
    async close() {
      stopResuming();
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
      await services.telemetry?.flush();
      await services.database.close();
    },
  };
}
