import type { JobSchedule } from "#http/jobs/jobs";
import type { GroupName } from "./groups.ts";

/** A scheduled job: EventBridge invokes the group's own function with a request for the job's cron route. */
export interface Schedule extends JobSchedule {
  readonly group: GroupName;
  /** EventBridge cron expression, in UTC. */
  readonly cron: `cron(${string})`;
  readonly method: "POST";
}

function gameJob<Name extends string>(name: Name, cron: Schedule["cron"], path: string, budgetSeconds: number) {
  return {
    name,
    group: "workout-window",
    cron,
    method: "POST",
    path: `/api/workout-window/cron/${path}`,
    secret: "WORKOUT_WINDOW_CRON_SECRET",
    budgetSeconds,
  } as const;
}

const GAME_JOBS = [
  gameJob("chains", "cron(0 0/6 * * ? *)", "generate-chains", 150),
  // Usually there is nothing to do: changes are matched after their request, and this job does what failed there.
  gameJob("rematch", "cron(4/5 * * * ? *)", "rematch", 40),
  // In some time zone a window opens, or a day ends, every quarter of an hour.
  gameJob("check-in-reminders", "cron(0/5 * * * ? *)", "reminders", 40),
  gameJob("end-of-day", "cron(2/15 * * * ? *)", "end-of-day", 40),
  gameJob("synthetic-check-ins", "cron(7/15 * * * ? *)", "synthetic-check-ins", 40),
  gameJob("mosaics", "cron(59 * * * ? *)", "mosaics", 200),
  gameJob("battle", "cron(0 23 ? * SUN *)", "battle", 40),
  gameJob("weekly-stats", "cron(0 0 ? * MON *)", "weekly-stats", 120),
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
    budgetSeconds: 40,
  },
  {
    name: "exports",
    group: "user",
    // Usually there is nothing to do: an export is built after its request, and this job continues what was interrupted.
    cron: "cron(2/5 * * * ? *)",
    method: "POST",
    path: "/api/user/cron/exports",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 10,
  },
  {
    name: "monthly-drops",
    group: "drops",
    // Whatever does not fit into the budget of one run is left for the next; a month that is awarded is skipped.
    cron: "cron(0/15 0-2 1 * ? *)",
    method: "POST",
    path: "/api/drops/cron/award-monthly-all",
    secret: "DROPS_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "drops-reconciliation",
    group: "drops",
    cron: "cron(40 3 * * ? *)",
    method: "POST",
    path: "/api/drops/cron/reconcile",
    secret: "DROPS_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "push-retries",
    group: "notifications",
    cron: "cron(0/5 * * * ? *)",
    method: "POST",
    path: "/api/notifications/cron/deliver",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "journal-reminders",
    group: "notifications",
    cron: "cron(0/5 * * * ? *)",
    method: "POST",
    path: "/api/notifications/cron/reminders",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "erasures",
    group: "account",
    cron: "cron(2/5 * * * ? *)",
    method: "POST",
    path: "/api/user/account/cron/erase",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "imports",
    group: "imports",
    // Usually there is nothing to do: starting an import queues it, and this job does what was interrupted.
    cron: "cron(2/5 * * * ? *)",
    method: "POST",
    path: "/api/journal/imports/cron/continue",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "shares",
    group: "notebooks",
    // Usually there is nothing to do: entries follow a change after its request, and this job does what was interrupted.
    cron: "cron(4/5 * * * ? *)",
    method: "POST",
    path: "/api/notebooks/cron/shares",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "received-mail",
    group: "email-webhook",
    cron: "cron(3/5 * * * ? *)",
    method: "POST",
    path: "/api/email/webhook/cron/fetch-received",
    secret: "MAINTENANCE_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "engagement",
    group: "encouragement-drops",
    cron: "cron(5 * * * ? *)",
    method: "POST",
    path: "/api/encouragement-drops/cron/process-engagement",
    secret: "ENCOURAGEMENT_DROPS_CRON_SECRET",
    budgetSeconds: 200,
  },
  {
    name: "leaderboard",
    group: "encouragement-drops",
    // More often than MAX_RANKS_AGE_SECONDS, which is what the API promises.
    cron: "cron(1/4 * * * ? *)",
    method: "POST",
    path: "/api/encouragement-drops/cron/count-leaderboard",
    secret: "ENCOURAGEMENT_DROPS_CRON_SECRET",
    budgetSeconds: 40,
  },
  {
    name: "note-analysis",
    group: "chat",
    // Whatever does not fit into the budget of one run is left for the next; users who are done are skipped.
    cron: "cron(0/10 2-8 * * ? *)",
    method: "POST",
    path: "/api/chat/cron/analyze-notes",
    secret: "CHAT_CRON_SECRET",
    fallbackSecrets: ["WORKOUT_WINDOW_CRON_SECRET"],
    budgetSeconds: 240,
  },
  {
    name: "daily-assistant-drops",
    group: "encouragement-drops",
    cron: "cron(0/10 9-15 * * ? *)",
    method: "POST",
    path: "/api/encouragement-drops/cron/generate-daily-drops",
    secret: "DROPS_CRON_SECRET",
    fallbackSecrets: ["WORKOUT_WINDOW_CRON_SECRET", "CHAT_CRON_SECRET"],
    budgetSeconds: 240,
  },
  ...GAME_JOBS,
] as const satisfies readonly Schedule[];

export type JobName = (typeof SCHEDULES)[number]["name"];

export function scheduleOf(name: JobName): Schedule {
  const schedule = SCHEDULES.find((row) => row.name === name);
  if (schedule === undefined) throw new Error(`There is no schedule of ${name}.`);
  return schedule;
}
