import { utcMonth } from "#core/time/calendar-date";
import { user, userOrAnyProgram, userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { PageQuery } from "#http/response/paging";
import type { Services } from "#http/services/services";
import { listAccesses } from "./access-log.ts";
import { exportRoutes } from "./exports/routes.ts";
import { readProfile, updateProfile } from "./profile.ts";
import {
  AccessLogResponse,
  ProfileResponse,
  ProfileUpdate,
  UsageQuery,
  UsageResponse,
  UsesResponse,
} from "./schema.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { listUses, readUsage } from "./usage.ts";

/** The caller's own profile, AI usage, exports and personal tokens. */
export function userApp(services: Services) {
  return groupApp(services, "user", [
    endpoint(
      "GET /api/user/profile",
      {
        id: "readProfile",
        summary: "Read your profile",
        description:
          "The only operation that a program of others may call: one to which Supabase Auth, as an OAuth server, gave an access token with a `client_id`.",
        guard: userOrAnyProgram("profile:read"),
        replica: "shared",
        versioned: "profile",
        response: ProfileResponse,
      },
      async ({ tx, tagged, actor }) => ({ profile: tagged(await readProfile(tx, actor.userId)) }),
    ),
    endpoint(
      "PUT /api/user/profile",
      {
        id: "updateProfile",
        summary: "Update your profile",
        guard: userOrProgram("profile:write"),
        body: ProfileUpdate,
        versioned: "profile",
        response: ProfileResponse,
      },
      async ({ tx, tagged, actor, body }) => ({ profile: tagged(await updateProfile(tx, actor.userId, body)) }),
    ),
    endpoint(
      "GET /api/user/usage",
      {
        id: "readUsage",
        summary: "Read your AI usage of a month in tokens, dollars and drops",
        guard: user,
        replica: "shared",
        query: UsageQuery,
        response: UsageResponse,
      },
      async ({ tx, actor, query, now }) => ({
        usage: await readUsage(tx, actor.userId, query.month ?? utcMonth(now)),
      }),
    ),
    endpoint(
      "GET /api/user/ai-use",
      {
        id: "listAiUses",
        summary: "List the calls of models that were made for you",
        description: "Newest first, without any text. Calls that failed are listed as well.",
        guard: user,
        replica: "own",
        query: PageQuery,
        response: UsesResponse,
      },
      ({ tx, actor, query }) => listUses(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/user/access-log",
      {
        id: "readAccessLog",
        summary: "List super admins who read your private entries",
        description: "Newest first: one row for each entry, reader and UTC day, kept for a year.",
        guard: user,
        replica: "shared",
        query: PageQuery,
        response: AccessLogResponse,
      },
      ({ tx, actor, query }) => listAccesses(tx, actor.userId, query),
    ),
    ...exportRoutes,
    ...tokenRoutes,
  ]);
}
