import { utcMonth } from "@nectar/core/calendar-date";
import { endpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { PageQuery } from "@nectar/http/paging";
import type { Services } from "@nectar/http/services";
import { wake } from "@nectar/http/wake";
import { listAccesses } from "./access-log.ts";
import { readErasure, requestErasure, restoreAccount } from "./account.ts";
import { readProfile, updateProfile } from "./profile.ts";
import {
  AccessLogResponse,
  ErasureRequest,
  ErasureResponse,
  ProfileResponse,
  ProfileUpdate,
  RequestedErasureResponse,
  UsageQuery,
  UsageResponse,
} from "./schema.ts";
import { readUsage } from "./usage.ts";

/** The caller's own profile, AI usage, and the erasure of the account. */
export function userApp(services: Services) {
  return groupApp(services, "user", [
    endpoint(
      "GET /api/user/profile",
      { id: "readProfile", summary: "Read your profile", guard: user, response: ProfileResponse },
      async ({ tx, actor }) => ({ profile: await readProfile(tx, actor.userId) }),
    ),
    endpoint(
      "PUT /api/user/profile",
      {
        id: "updateProfile",
        summary: "Update your profile",
        guard: user,
        body: ProfileUpdate,
        response: ProfileResponse,
      },
      async ({ tx, actor, body }) => ({ profile: await updateProfile(tx, actor.userId, body) }),
    ),
    endpoint(
      "GET /api/user/usage",
      {
        id: "readUsage",
        summary: "Read your AI usage of a month in tokens, dollars and drops",
        guard: user,
        query: UsageQuery,
        response: UsageResponse,
      },
      async ({ tx, actor, query, now }) => ({
        usage: await readUsage(tx, actor.userId, query.month ?? utcMonth(now)),
      }),
    ),
    endpoint(
      "GET /api/user/access-log",
      {
        id: "readAccessLog",
        summary: "List which super admins read entries of yours that were not shared with them",
        description: "Newest first: one row for each entry, reader and UTC day, kept for a year.",
        guard: user,
        query: PageQuery,
        response: AccessLogResponse,
      },
      ({ tx, actor, query }) => listAccesses(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/user/account/erasure",
      {
        id: "readErasure",
        summary: "Read what erasing your account would do, and when it is scheduled",
        guard: user,
        response: ErasureResponse,
      },
      ({ tx }) => readErasure(tx),
    ),
    endpoint(
      "DELETE /api/user/account",
      {
        id: "deleteAccount",
        summary: "Erase your account",
        description:
          "Until it is erased, your account is closing: you can read, export, restore it or erase it now, and nothing else. You get a mail when it is erased. Repeating the request changes nothing. If someone makes you the owner of an organization meanwhile, it goes to the person who has been a member for the longest time.",
        guard: user,
        whileClosing: "allowed",
        body: ErasureRequest,
        response: RequestedErasureResponse,
        errors: ["auth.sign_in_again", "account.owns_organizations", "admin.last_super_admin"],
      },
      async ({ tx, actor, body, now, afterCommit }) => {
        const erasure = await requestErasure(tx, actor, body, now);
        if (body.when === "now") afterCommit(() => wake(services, { name: "erasure" }));
        return { erasure };
      },
    ),
    endpoint(
      "POST /api/user/account/restore",
      {
        id: "restoreAccount",
        summary: "Restore your account before it is erased",
        description: "Repeating it changes nothing. 409 once the erasure has begun.",
        guard: user,
        whileClosing: "allowed",
        response: MessageResponse,
        errors: ["account.being_erased"],
      },
      async ({ tx }) => {
        await restoreAccount(tx);
        return { message: "Your account is open." };
      },
    ),
  ]);
}
