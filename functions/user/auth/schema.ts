import * as z from "zod";

export const TokenCheck = z.object({ token: z.string().trim().min(1, "must not be blank").max(16_000) });

/** The user of a valid token. */
export const TokenResponse = z.object({
  user: z.object({ id: z.guid(), email: z.string().nullable().meta({ description: "null if the token has none." }) }),
});
