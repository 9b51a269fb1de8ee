import * as z from "zod";
import { cron } from "../access/guards.ts";
import { type Definition, type Endpoint, endpointInSteps } from "../endpoint/endpoint.ts";
import { DUE_AT_HEADER } from "./due-at.ts";
import { type Job, JobResponse, type JobSchedule, type RunOptions } from "./jobs.ts";

/** The endpoint by which the scheduler runs a job: path and secret come from the job's row in the table of schedules. */
export function jobEndpoint<Options extends object>(
  { schedule, run }: Job<Options>,
  description: Pick<Definition, "id" | "summary" | "description" | "errors">,
  options: RunOptions<Options> = {},
): Endpoint {
  return endpointInSteps(
    `POST ${schedule.path}`,
    { ...description, guard: jobGuard(schedule), response: JobResponse },
    ({ services, header }) => run(services, Object.assign({}, options, dueTimeOf(header))),
  );
}

/** The due time of a request; none for a run that an operator starts. */
export function dueTimeOf(header: (name: string) => string | undefined): { dueAt?: Date } {
  const { data } = z.iso.datetime().safeParse(header(DUE_AT_HEADER));
  return data === undefined ? {} : { dueAt: new Date(data) };
}

/** The scheduler with the secret of a job. */
export function jobGuard({ secret, fallbackSecrets = [] }: JobSchedule) {
  return cron(secret, ...fallbackSecrets);
}
