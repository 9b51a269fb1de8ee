import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import type { Services } from "@nectar/http/services";
import { json } from "@nectar/http/validate";
import { TokenCheck, TokenResponse } from "./schema.ts";

/** Checks access tokens; they are issued by Supabase Auth. */
export function authApp(services: Services) {
  return createApp(services).post(
    "/api/auth/verify",
    describe({
      summary: "Check an access token",
      description: "A token whose account was deleted is not valid.",
      response: TokenResponse,
      errors: [401, 503],
    }),
    json(TokenCheck),
    async (c) => {
      const { userId, email } = await services.verifyToken(c.req.valid("json").token);
      // Opening a transaction as this person checks that the account still exists.
      await services.database.asUser(userId, async () => {}, "read");
      return answer(c, 200, { user: { id: userId, email } });
    },
  );
}
