import { type Endpoint, phasedEndpoint } from "./endpoint.ts";
import { cron } from "./guards.ts";
import { type Job, JobResponse, type RunOptions } from "./jobs.ts";

/** The endpoint by which the scheduler runs a job: path and secret come from the job's row in the table of schedules. */
export function jobEndpoint<Options extends object>(
  { schedule, run }: Job<Options>,
  description: { readonly id: string; readonly summary: string; readonly description?: string },
  options?: RunOptions<Options>,
): Endpoint {
  const { path, secret, fallbackSecrets = [] } = schedule;
  return phasedEndpoint(
    `POST ${path}`,
    { ...description, guard: cron(secret, ...fallbackSecrets), response: JobResponse },
    { during: ({ services }) => run(services, options) },
  );
}
