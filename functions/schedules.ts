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
] as const satisfies readonly Schedule[];
