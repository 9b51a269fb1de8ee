import * as z from "zod";

/** The response field of a thing that admins may hide. */
export const Moderation = z.literal("hidden").nullable().meta({
  description: "hidden: an admin decided that only its owner sees it. null: it is not hidden.",
});
