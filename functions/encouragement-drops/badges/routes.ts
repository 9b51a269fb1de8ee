import { BADGE_LADDER } from "#core/people/badges";
import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { wakePushes } from "#http/jobs/wake";
import { listBadges, listMilestones, readBadge, updateBadge } from "./badges.ts";
import { countLeaderboard, readLeaderboard } from "./leaderboard.ts";
import {
  BadgeResponse,
  BadgesRequest,
  BadgesResponse,
  BadgeUpdateResponse,
  DefinitionsResponse,
  LeaderboardQuery,
  LeaderboardResponse,
  MAX_USERS,
  MilestoneQuery,
  MilestonesResponse,
  UserId,
} from "./schema.ts";

/** Badges, milestones and the leaderboard. */
export const badgeRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/encouragement-drops/badge",
    {
      id: "readBadge",
      summary: "Read your badge",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      response: BadgeResponse,
    },
    async ({ tx, actor, now }) => ({ badge: await readBadge(tx, actor.userId, now) }),
  ),
  endpoint(
    "GET /api/encouragement-drops/badge/milestones",
    {
      id: "listBadgeMilestones",
      summary: "List when a user reached their badge levels",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      query: MilestoneQuery,
      response: MilestonesResponse,
      errors: ["user.not_found"],
    },
    ({ tx, actor, query }) => listMilestones(tx, query.user_id ?? actor.userId, query),
  ),
  endpoint(
    "GET /api/encouragement-drops/badge/:userId",
    {
      id: "readBadgeOfUser",
      summary: "Read the badge of a user",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      params: { userId: UserId },
      response: BadgeResponse,
      errors: ["user.not_found"],
    },
    async ({ tx, params, now }) => ({ badge: await readBadge(tx, params.userId, now) }),
  ),
  endpoint(
    "POST /api/encouragement-drops/badge/update",
    {
      id: "updateBadge",
      summary: "Recalculate your badge",
      description: "The level can only rise.",
      guard: userOrProgram("drops:write"),
      response: BadgeUpdateResponse,
    },
    async ({ tx, actor, now, services, afterCommit }) => {
      const response = await updateBadge(tx, actor.userId, now);
      if (response.leveled_up) afterCommit(() => wakePushes(services));
      return response;
    },
  ),
  endpoint(
    "POST /api/encouragement-drops/badges/bulk",
    {
      id: "readBadges",
      summary: `Read the badges of up to ${MAX_USERS} users`,
      description: "Users who do not exist, or have a block between you and them, are left out.",
      guard: userOrProgram("drops:read"),
      access: "write while closing",
      body: BadgesRequest,
      response: BadgesResponse,
    },
    async ({ tx, body, now }) => ({ badges: await listBadges(tx, body.user_ids, now) }),
  ),
  endpoint(
    "GET /api/encouragement-drops/leaderboard",
    {
      id: "readLeaderboard",
      summary: "Read the top of the leaderboard and your rank",
      description:
        "Without people who hide from the leaderboard, who have no rank, and without blocked people, whose ranks are missing.",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      query: LeaderboardQuery,
      response: LeaderboardResponse,
    },
    ({ tx, actor, query, now }) => readLeaderboard(tx, actor.userId, { limit: query.limit, now }),
  ),
  endpoint(
    "GET /api/encouragement-drops/badge-definitions",
    {
      id: "listBadgeDefinitions",
      summary: "List the badge levels",
      guard: userOrProgram("drops:read"),
      access: "read",
      response: DefinitionsResponse,
    },
    async () => ({ definitions: BADGE_LADDER }),
  ),
  jobEndpoint(countLeaderboard, {
    id: "runLeaderboardCount",
    summary: "Count the ranks behind the first thousand (scheduled)",
  }),
];
