import * as z from "zod";

/** The response of an action that has nothing else to return. */
export const MessageResponse = z.object({ message: z.string() }).meta({ id: "Message" });
