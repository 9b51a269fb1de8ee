import * as z from "zod";

/**
 * Work that is handed to a walker. It only says where to look: what is due is in the database, so a task may come twice,
 * late or never.
 */
export const Task = z.discriminatedUnion("name", [
  /** Deliver due push messages. */
  z.strictObject({ name: z.literal("push") }),
  /** Draw the mosaic of a date if it has changed. */
  z.strictObject({ name: z.literal("mosaic"), date: z.iso.date() }),
]);
export type Task = z.infer<typeof Task>;
