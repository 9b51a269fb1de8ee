import * as z from "zod";

/** A user as others see them. */
export const Card = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
  })
  .meta({ id: "Card" });
export type Card = z.infer<typeof Card>;
