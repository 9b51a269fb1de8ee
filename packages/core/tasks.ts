import * as z from "zod";

/** People by their ids: those after one, up to and with another; null is open. */
export const IdRange = z.strictObject({ after: z.guid().nullable(), upTo: z.guid().nullable() });
export type IdRange = z.infer<typeof IdRange>;

/** All people. */
export const EVERYONE: IdRange = { after: null, upTo: null };

/**
 * Work that is handed to a walker. It only says where to look: what is due is in the database, so a task may come twice,
 * late or never.
 */
export const Task = z.discriminatedUnion("name", [
  /** Deliver due push messages. */
  z.strictObject({ name: z.literal("push") }),
  /** Analyze the notes of the people in a range whose turn it is. */
  z.strictObject({ name: z.literal("note-analysis"), range: IdRange }),
  /** Send the assistant's drop of the day to the people in a range who have none yet. */
  z.strictObject({ name: z.literal("assistant-drop"), range: IdRange }),
  /** Fetch the text of received mails. */
  z.strictObject({ name: z.literal("received-mail") }),
  /** Draw the mosaic of a date if it has changed. */
  z.strictObject({ name: z.literal("mosaic"), date: z.iso.date() }),
]);
export type Task = z.infer<typeof Task>;
