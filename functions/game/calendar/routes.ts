import { MAX_GAP_DAYS } from "#core/game/streak";
import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { dayMoment } from "../day-state.ts";
import { readCalendar, readStreak } from "./calendar.ts";
import { CalendarQuery, CalendarResponse, StreakResponse } from "./schema.ts";

/** A player's own streak and the calendar of their days. */
export const calendarRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/workout-window/streak",
    {
      id: "readStreak",
      summary: "Read your streak",
      description: `It is computed on each request, so a late photo, a review or an appeal changes it. It ends on a failed day without a freeze, and when more than ${MAX_GAP_DAYS} days have passed since the last completed one. It has no effect on chips.`,
      guard: userOrProgram("game:read"),
      replica: "shared",
      response: StreakResponse,
    },
    async ({ tx, actor, ...request }) => ({ streak: await readStreak(tx, actor.userId, dayMoment(request)) }),
  ),
  endpoint(
    "GET /api/workout-window/calendar",
    {
      id: "readWorkoutCalendar",
      summary: "Read what each of your days counts as",
      guard: userOrProgram("game:read"),
      access: "read",
      replica: "shared",
      query: CalendarQuery,
      response: CalendarResponse,
    },
    async ({ tx, actor, query, ...request }) => ({
      days: await readCalendar(tx, actor.userId, query, dayMoment(request)),
    }),
  ),
];
