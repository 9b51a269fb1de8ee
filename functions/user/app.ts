import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import type { Services } from "@nectar/http/services";
import { json, query } from "@nectar/http/validate";
import { readProfile, updateProfile } from "./profile.ts";
import { ProfileResponse, ProfileUpdate, UsageQuery, UsageResponse } from "./schema.ts";
import { readUsage } from "./usage.ts";

/** The caller's own profile and AI usage. */
export function userApp(services: Services) {
  return createApp(services)
    .get(
      "/api/user/profile",
      describe({ summary: "Read one's profile", response: ProfileResponse }),
      user,
      async (c) => {
        const profile = await c.var.asUser((tx) => readProfile(tx, c.var.actor.userId));
        return answer(c, 200, { profile });
      },
    )
    .put(
      "/api/user/profile",
      describe({ summary: "Change one's profile", response: ProfileResponse }),
      user,
      json(ProfileUpdate),
      async (c) => {
        const profile = await c.var.asUser((tx) => updateProfile(tx, c.var.actor.userId, c.req.valid("json")));
        return answer(c, 200, { profile });
      },
    )
    .get(
      "/api/user/usage",
      describe({
        summary: "Read your AI usage of a month in tokens, dollars and drops",
        response: UsageResponse,
      }),
      user,
      query(UsageQuery),
      async (c) => {
        const { month = services.clock.now().toISOString().slice(0, 7) } = c.req.valid("query");
        const usage = await c.var.asUser((tx) => readUsage(tx, c.var.actor.userId, month));
        return answer(c, 200, { usage });
      },
    );
}
