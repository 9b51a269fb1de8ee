import type { Config } from "@nectar/config/config";
import type { Services } from "@nectar/http/services";
import { servicesFor } from "@nectar/http/services-for";
import { openLanes } from "@nectar/providers/lanes";
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
  const queue = openLanes(config.taskConcurrency, (task) => runTask(services, task));
  const services: Services = servicesFor(config, { ...instead, queue });
  return {
    services,
    async close() {
      await queue.close();
      await services.telemetry?.flush();
      await services.database.close();
    },
  };
}
