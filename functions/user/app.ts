import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import type { Services } from "@nectar/http/services";
import { json } from "@nectar/http/validate";
import { changeProfile, readProfile } from "./profile.ts";
import { ProfileAnswer, ProfileChange } from "./schema.ts";

/** The caller's own profile. */
export function userApp(services: Services) {
  return createApp(services)
    .get("/api/user/profile", describe({ summary: "Read one's profile", response: ProfileAnswer }), user, async (c) => {
      const profile = await c.var.asUser((tx) => readProfile(tx, c.var.actor.userId));
      return answer(c, 200, { profile });
    })
    .put(
      "/api/user/profile",
      describe({ summary: "Change one's profile", response: ProfileAnswer }),
      user,
      json(ProfileChange),
      async (c) => {
        const profile = await c.var.asUser((tx) => changeProfile(tx, c.var.actor.userId, c.req.valid("json")));
        return answer(c, 200, { profile });
      },
    );
}
