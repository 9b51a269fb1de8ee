import { z } from "zod";

/** The body of a token check. */
export const TokenCheck = z.object({ token: z.string().trim().min(1, "must not be blank").max(16_384) });

/** Whom a good token belongs to. */
export const TokenResponse = z.object({ user: z.object({ id: z.guid(), email: z.string().nullable() }) });
