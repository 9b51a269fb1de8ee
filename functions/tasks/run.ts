import type { Task } from "@nectar/core/tasks";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { drawIfChanged } from "../workout-window/mosaics/runs.ts";

/** How long a walker starts new work, in milliseconds; its function lives longer. */
const BUDGET_MS = 240_000;

/** Does a task and logs it. @throws Error if it could not be finished */
export async function runTask(services: Services, task: Task): Promise<void> {
  const startedAt = performance.now();
  const logged = () => ({ task: task.name, duration_ms: Math.round(performance.now() - startedAt) });
  try {
    const results = await walk(services, task);
    services.logger.info({ ...logged(), results }, "task");
  } catch (error) {
    services.logger.error({ ...logged(), failure: describeFailure(error) }, "task failed");
    throw error;
  }
}

/** Does what is due, and nothing if it is done already. */
function walk(services: Services, task: Task): Promise<object> {
  switch (task.name) {
    case "push":
      return deliverPushes(services, BUDGET_MS);
    case "mosaic":
      return drawIfChanged(services, task.date);
  }
}
