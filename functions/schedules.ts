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
  readonly secret:
    | "MAINTENANCE_CRON_SECRET"
    | "DROPS_CRON_SECRET"
    | "ENCOURAGEMENT_DROPS_CRON_SECRET"
    | "CHAT_CRON_SECRET"
    | "WORKOUT_WINDOW_CRON_SECRET";
}

/** A job of the workout game. */
function gameJob<Name extends string>(name: Name, cron: `cron(${string})`, path: string) {
  return {
    name,
    group: "workout-window",
    cron,
    method: "POST",
    path: `/api/workout-window/cron/${path}`,
    secret: "WORKOUT_WINDOW_CRON_SECRET",
  } as const;
}

const GAME_JOBS = [
  gameJob("chains", "cron(0 0/6 * * ? *)", "generate-chains"),
  // Nobody is noted unless something went wrong at once, and a look costs nothing.
  gameJob("rematch", "cron(4/5 * * * ? *)", "rematch"),
  // Somewhere a window opens, or a day ends, at every quarter of an hour.
  gameJob("check-in-reminders", "cron(0/5 * * * ? *)", "reminders"),
  gameJob("end-of-day", "cron(2/15 * * * ? *)", "end-of-day"),
  gameJob("synthetic-check-ins", "cron(7/15 * * * ? *)", "synthetic-check-ins"),
  gameJob("mosaic", "cron(59 * * * ? *)", "mosaics"),
  gameJob("battle", "cron(0 23 ? * SUN *)", "battle"),
  gameJob("weekly-stats", "cron(0 0 ? * MON *)", "weekly-stats"),
] as const satisfies readonly Schedule[];

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
  {
    name: "push-retries",
    group: "notifications",
    cron: "cron(0/5 * * * ? *)",
    method: "POST",
    path: "/api/notifications/cron/deliver",
    secret: "MAINTENANCE_CRON_SECRET",
  },
  {
    name: "received-mail",
    group: "email-webhook",
    cron: "cron(3/5 * * * ? *)",
    method: "POST",
    path: "/api/email/webhook/cron/fetch-received",
    secret: "MAINTENANCE_CRON_SECRET",
  },
  {
    name: "engagement",
    group: "encouragement-drops",
    cron: "cron(5 * * * ? *)",
    method: "POST",
    path: "/api/encouragement-drops/cron/process-engagement",
    secret: "ENCOURAGEMENT_DROPS_CRON_SECRET",
  },
  {
    name: "note-analysis",
    group: "chat",
    // What one call cannot finish in its time, the next goes on with; whoever is done is skipped.
    cron: "cron(0/10 2-8 * * ? *)",
    method: "POST",
    path: "/api/chat/cron/analyze-notes",
    secret: "CHAT_CRON_SECRET",
  },
  {
    name: "daily-assistant-drops",
    group: "encouragement-drops",
    cron: "cron(0/10 9-15 * * ? *)",
    method: "POST",
    path: "/api/encouragement-drops/cron/generate-daily-drops",
    secret: "DROPS_CRON_SECRET",
  },
  ...GAME_JOBS,
] as const satisfies readonly Schedule[];
