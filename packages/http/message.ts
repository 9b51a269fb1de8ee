import { z } from "zod";

/** The answer of an action that has nothing else to tell. */
export const MessageResponse = z.object({ message: z.string() }).meta({ id: "Message" });
