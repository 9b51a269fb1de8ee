import { phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { anyone } from "@nectar/http/guards";
import { jobEndpoint } from "@nectar/http/job-endpoint";
import type { Services } from "@nectar/http/services";
import { housekeeping } from "./housekeeping.ts";
import { HealthResponse } from "./schema.ts";

const live = phasedEndpoint(
  "GET /health",
  { id: "readHealth", summary: "Check that the function is running", guard: anyone, response: HealthResponse },
  { during: ({ now }) => ({ status: "ok" as const, timestamp: now.toISOString() }) },
);

const ready = phasedEndpoint(
  "GET /health/ready",
  {
    id: "readReadiness",
    summary: "Check that the function can reach the database",
    guard: anyone,
    response: HealthResponse,
  },
  {
    during: async ({ services, now }) => {
      await services.database.ping();
      return { status: "ok" as const, timestamp: now.toISOString() };
    },
  },
);

/** The health checks, and the job that deletes outdated data. */
export function healthApp(services: Services) {
  return groupApp(services, [
    live,
    ready,
    jobEndpoint(housekeeping, {
      id: "runHousekeeping",
      summary: "Delete data whose retention time is over (scheduled)",
    }),
  ]);
}
