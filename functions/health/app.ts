import { AppError } from "#core/errors";
import { BACKUP_JOB, LATE_PERIODS, MAX_BACKUP_AGE_HOURS } from "#core/time/late-jobs";
import { anyone } from "#http/access/guards";
import { endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import type { Services } from "#http/services/services";
import { housekeeping } from "./housekeeping.ts";
import { checkJobs } from "./jobs.ts";
import { HealthResponse, JobsHealthResponse } from "./schema.ts";

const live = endpointInSteps(
  "GET /health",
  {
    id: "readHealth",
    summary: "Check that the service is running",
    description: "503 while a server that is asked to stop finishes its requests.",
    guard: anyone,
    response: HealthResponse,
    errors: ["service.stopping"],
  },
  async ({ services, now }) => {
    refuseWhileStopping(services);
    return { status: "ok" as const, timestamp: now.toISOString() };
  },
);

const ready = endpointInSteps(
  "GET /health/ready",
  {
    id: "readReadiness",
    summary: "Check that the service can reach the database",
    guard: anyone,
    response: HealthResponse,
    errors: ["service.stopping"],
  },
  async ({ services, now }) => {
    refuseWhileStopping(services);
    await services.database.ping();
    return { status: "ok" as const, timestamp: now.toISOString() };
  },
);

function refuseWhileStopping({ stopping }: Services): void {
  if (stopping.aborted) throw new AppError("service.stopping", { retryAfterSeconds: 5 });
}

const jobs = endpointInSteps(
  "GET /health/jobs",
  {
    id: "readJobsHealth",
    summary: "Check that no scheduled job is late and no review waits for too long",
    description: `A job is late if it has not succeeded for ${LATE_PERIODS} periods of its schedule; 503 then names it in \`late\`. Where backups are expected, \`${BACKUP_JOB}\` is late if none has succeeded for ${MAX_BACKUP_AGE_HOURS} hours. \`waiting\` has the open reports, open appeals and pending check-ins whose oldest one has waited for an admin for longer than the operator allows. For a monitor outside.`,
    guard: anyone,
    response: JobsHealthResponse,
    errors: ["service.jobs_late", "service.reviews_waiting"],
  },
  ({ services, now }) => checkJobs(services, now),
);

/** The health checks, and the job that deletes outdated data. */
export function healthApp(services: Services) {
  return groupApp(services, "health", [
    live,
    ready,
    jobs,
    jobEndpoint(housekeeping, {
      id: "runHousekeeping",
      summary: "Delete data whose retention time is over (scheduled)",
    }),
  ]);
}
