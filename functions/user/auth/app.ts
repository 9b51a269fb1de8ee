import { AppError } from "#core/errors";
import { anyone } from "#http/access/guards";
import { endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { TokenCheck, TokenResponse } from "./schema.ts";

/** Checks access tokens; they are issued by Supabase Auth. */
export function authApp(services: Services) {
  return groupApp(services, "auth", [
    endpointInSteps(
      "POST /api/auth/verify",
      {
        id: "verifyToken",
        summary: "Check an access token",
        description: "401 if it is not valid, belongs to a program, or if its account was deleted.",
        guard: anyone,
        body: TokenCheck,
        maxBodyKb: 16,
        response: TokenResponse,
        errors: ["auth.invalid_token", "auth.unknown_account", "service.identity_unavailable"],
      },
      async ({ body }) => {
        const { userId, email, program } = await services.verifyToken(body.token);
        if (program !== undefined) throw new AppError("auth.invalid_token");
        // Opening a transaction as this user checks that the account still exists.
        await services.database.asUser(userId, async () => {}, "read");
        return { user: { id: userId, email } };
      },
    ),
  ]);
}
