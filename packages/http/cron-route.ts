import type { Handler, MiddlewareHandler } from "hono";
import { answer } from "./answer.ts";
import type { AppEnv } from "./context.ts";
import { describe, type RouteDescription } from "./describe.ts";
import { cron } from "./guards.ts";
import { type Job, JobResponse, type JobSchedule, type RunOptions } from "./jobs.ts";

/** Path, description, guard and handler of the route by which the scheduler runs a job, for an app's `post`. */
export function cronRoute<Options extends object>(
  { schedule, run }: Job<Options>,
  description: Omit<RouteDescription, "response">,
  options?: RunOptions<Options>,
): [path: string, description: MiddlewareHandler<AppEnv>, guard: MiddlewareHandler<AppEnv>, handler: Handler<AppEnv>] {
  return [
    schedule.path,
    describe({ ...description, response: JobResponse }),
    cronOf(schedule),
    async (c) => answer(c, 200, await run(c.var.services, options)),
  ];
}

/** Lets in the scheduler with the secret of a job. */
export function cronOf({ secret, fallbackSecrets = [] }: JobSchedule): MiddlewareHandler<AppEnv> {
  return cron(secret, ...fallbackSecrets);
}
