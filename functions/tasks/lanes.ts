import type { Config } from "@nectar/config/config";
import type { Task } from "@nectar/core/tasks";
import type { Services } from "@nectar/http/services";
import { servicesFor } from "@nectar/http/services-for";
import { openLanes } from "@nectar/providers/lanes";
import { separateRanges } from "@nectar/providers/queue";
import { runTask } from "./run.ts";

/**
 * Builds services whose tasks run in this process.
 * @param instead services that replace the usual ones
 * @returns the services, and how to end them: running tasks finish, spans are sent, and the database is closed
 */
export function servicesWithLanes(
  config: Config,
  instead: Parameters<typeof servicesFor>[1] = {},
): { services: Services; close(): Promise<void> } {
  const run = (task: Task) => runTask(services, task);
  const others = openLanes(config.taskConcurrency, run);
  const ranges = openLanes(config.rangeConcurrency, run);
  const services: Services = servicesFor(config, { ...instead, queue: separateRanges({ others, ranges }) });
  return {
    services,
    async close() {
      await Promise.all([others.close(), ranges.close()]);
      await services.telemetry?.flush();
      await services.database.close();
    },
  };
}
