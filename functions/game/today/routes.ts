import { userOrProgramOf } from "#http/access/guards";
import { hasScope } from "#http/access/programs";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { dayMoment } from "../day-state.ts";
import { TodayResponse } from "./schema.ts";
import { PARTS, readToday } from "./today.ts";

const scopeOf = (part: (typeof PARTS)[number]) => `${part}:read` as const;

/** One read for a start screen or a widget. */
export const todayRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/today",
    {
      id: "readToday",
      summary: "Read what a start screen shows",
      description: `One request instead of one for each part; every number is that of the endpoints of its part. A personal token with any of the scopes ${PARTS.map(scopeOf).join(", ")} may call it, and gets null for the parts that it may not read.`,
      guard: userOrProgramOf(PARTS.map(scopeOf)),
      replica: "shared",
      response: TodayResponse,
    },
    async ({ tx, actor, ...request }) => {
      const parts = PARTS.filter((part) => hasScope(actor, scopeOf(part)));
      return { today: await readToday(tx, actor.userId, parts, dayMoment(request)) };
    },
  ),
];
