import type { GroupName } from "./groups.ts";

/** A scheduled job: EventBridge invokes the group's own function with a request for the job's cron route. */
export interface Schedule {
  readonly name: string;
  readonly group: GroupName;
  /** EventBridge cron expression, in UTC. */
  readonly cron: string;
  readonly method: "POST";
  readonly path: string;
  /** The variable that holds the job's secret. */
  readonly secret: "MAINTENANCE_CRON_SECRET" | "DROPS_CRON_SECRET";
}

/** The one table of scheduled jobs. */
export const SCHEDULES = [
  {
    name: "housekeeping",
    group: "health",
    cron: "cron(17 * * * ? *)",
    method: "POST",
    path: "/health/cron/housekeeping",
    secret: "MAINTENANCE_CRON_SECRET",
  },
  {
    name: "monthly-drops",
    group: "drops",
    // What one call cannot finish in its time, the next goes on with; a month that is awarded is skipped.
    cron: "cron(0/15 0-2 1 * ? *)",
    method: "POST",
    path: "/api/drops/cron/award-monthly-all",
    secret: "DROPS_CRON_SECRET",
  },
] as const satisfies readonly Schedule[];
