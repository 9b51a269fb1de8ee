import { grouped } from "#core/text/numbers";
import { superAdmin } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { MessageResponse } from "#http/response/message";
import { rematchUsers } from "../matching/rematch.ts";
import { checkInSyntheticUsers } from "./check-ins.ts";
import {
  MAX_PAGE,
  NewSyntheticUsers,
  NewSyntheticUsersResponse,
  SyntheticToggle,
  SyntheticUserId,
  SyntheticUserResponse,
  SyntheticUsersQuery,
  SyntheticUsersResponse,
} from "./schema.ts";
import {
  deleteSyntheticUser,
  generateSyntheticUsers,
  listSyntheticUsers,
  toggleSyntheticUser,
} from "./synthetic-users.ts";

/** Synthetic users, for super admins, and their check-ins. */
export const syntheticUserRoutes: readonly Endpoint[] = [
  endpoint(
    "POST /api/workout-window/admin/ai-users/generate",
    {
      id: "generateSyntheticUsers",
      summary: "Create synthetic users with account, profile, location and window (super admin)",
      description:
        "The shares are met exactly, whatever the count. The same seed, count and shares draw the same users. Either all are created or none; they are matched for today and tomorrow immediately. No one can sign in as one of them.",
      guard: superAdmin,
      audit: { target: "synthetic_user" },
      body: NewSyntheticUsers,
      status: 201,
      response: NewSyntheticUsersResponse,
    },
    async ({ services, afterCommit, tx, body, now }) => {
      const generated = await generateSyntheticUsers(tx, body, now);
      afterCommit(() =>
        rematchUsers(
          services,
          generated.users.map(({ id }) => id),
        ),
      );
      return generated;
    },
  ),
  endpoint(
    "GET /api/workout-window/admin/ai-users",
    {
      id: "listSyntheticUsers",
      summary: "List all synthetic users (super admin)",
      description: `Newest first, ${grouped(MAX_PAGE)} per page. Send \`nextCursor\` as \`cursor\` to read the next page.`,
      guard: superAdmin,
      query: SyntheticUsersQuery,
      response: SyntheticUsersResponse,
    },
    ({ tx, query }) => listSyntheticUsers(tx, query),
  ),
  endpoint(
    "DELETE /api/workout-window/admin/ai-users/:id",
    {
      id: "deleteSyntheticUser",
      summary: "Delete a synthetic user and all their data (super admin)",
      description:
        "Their check-ins are deleted, and with them their chips in a running battle; completed battles keep their results. Players who were linked to them on a date that is not over are matched again.",
      guard: superAdmin,
      audit: { target: "synthetic_user", id: ({ params }) => params.id },
      params: { id: SyntheticUserId },
      response: MessageResponse,
      errors: ["synthetic_user.not_found"],
    },
    async ({ services, afterCommit, tx, params, now }) => {
      const linked = await deleteSyntheticUser(tx, params.id, now);
      afterCommit(() => rematchUsers(services, linked));
      return { message: "The synthetic user was deleted." };
    },
  ),
  endpoint(
    "PUT /api/workout-window/admin/ai-users/:id/toggle",
    {
      id: "toggleSyntheticUser",
      summary: "Activate or deactivate a synthetic user (super admin)",
      description:
        "A deactivated user leaves the chains of windows that have not opened and no longer checks in. An activated user is matched immediately.",
      guard: superAdmin,
      audit: { target: "synthetic_user", id: ({ params }) => params.id },
      params: { id: SyntheticUserId },
      body: SyntheticToggle,
      response: SyntheticUserResponse,
      errors: ["synthetic_user.not_found"],
    },
    async ({ services, afterCommit, tx, params, body }) => {
      const toggled = await toggleSyntheticUser(tx, params.id, body.isActive);
      afterCommit(() => rematchUsers(services, [params.id]));
      return { user: toggled };
    },
  ),
  jobEndpoint(checkInSyntheticUsers, {
    id: "runSyntheticCheckIns",
    summary: "Check in synthetic users whose time has come (scheduled)",
  }),
];
