import { REMINDER_MINUTES } from "#core/limits";
import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { PageQuery } from "#http/response/paging";
import { endDays } from "./end-of-day.ts";
import { remindPlayers } from "./reminders.ts";
import { WeeklyStatsResponse } from "./schema.ts";
import { countWeeks, readWeeklyStats } from "./weekly-stats.ts";

/** The end of a day, reminders and weekly results. */
export const dayRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/workout-window/weekly-stats",
    {
      id: "listWeeklyStats",
      summary: "List your results per week",
      description:
        "Newest first. A week is counted on the Monday after it, and again one week later. Send `nextCursor` as `cursor` to read the next page.",
      guard: userOrProgram("game:read"),
      replica: "own",
      query: PageQuery,
      response: WeeklyStatsResponse,
    },
    ({ tx, actor, query }) => readWeeklyStats(tx, actor.userId, query),
  ),
  jobEndpoint(endDays, {
    id: "runEndOfDay",
    summary: "Close the days that have ended in their time zone (scheduled)",
  }),
  jobEndpoint(remindPlayers, {
    id: "runCheckInReminders",
    summary: `Remind players whose window opens within ${REMINDER_MINUTES} minutes (scheduled)`,
  }),
  jobEndpoint(countWeeks, {
    id: "runWeeklyStats",
    summary: "Count the results of the past week for all players (scheduled)",
  }),
];
