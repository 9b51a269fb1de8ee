import * as z from "zod";

/** People by their ids: those after one, up to and with another; null is open. */
export const IdRange = z.strictObject({ after: z.guid().nullable(), upTo: z.guid().nullable() });
export type IdRange = z.infer<typeof IdRange>;

export const EVERYONE: IdRange = { after: null, upTo: null };

/** A part of a job's work for one day. */
const DayRange = z.strictObject({
  /** The UTC date of the job's run; on another date there is nothing to do. */
  date: z.iso.date(),
  range: IdRange,
});
export type DayRange = z.infer<typeof DayRange>;

/**
 * Work that is handed to a worker. It only says where to look: what is due is in the database, so a task may come twice,
 * late or never.
 */
export const Task = z.discriminatedUnion("name", [
  /** Deliver due push messages. */
  z.strictObject({ name: z.literal("push") }),
  /** Analyze the notes of the people in a range whose turn it is. */
  DayRange.extend({ name: z.literal("note-analysis") }),
  /** Send the assistant's drop of the day to the people in a range who have none yet. */
  DayRange.extend({ name: z.literal("assistant-drop") }),
  /** Fetch the text of received mails. */
  z.strictObject({ name: z.literal("received-mail") }),
  /** Work on an import. */
  z.strictObject({ name: z.literal("import"), id: z.guid() }),
  /** Write the entries that still have to follow a change of who sees them. */
  z.strictObject({ name: z.literal("shares") }),
  /** Draw the mosaic of a date if it has changed. */
  z.strictObject({ name: z.literal("mosaic"), date: z.iso.date() }),
  /** Erase the accounts that are due, and mail the receipts. */
  z.strictObject({ name: z.literal("erasure") }),
  /** Build an export. */
  z.strictObject({ name: z.literal("export"), id: z.guid() }),
]);
export type Task = z.infer<typeof Task>;

export const TASK_NAMES = Task.options.map(({ shape }) => shape.name.value);

/** Tasks wait only for those in the same lane. */
export type Lane = "tasks" | "ranges" | "imports";

/**
 * The lane of a task. Thousands of ranges are queued at once, and each takes minutes; an import takes as long as its
 * person likes. A push should wait for neither.
 */
export function laneOf(task: Task): Lane {
  if ("range" in task) return "ranges";
  return task.name === "import" ? "imports" : "tasks";
}

/** Imports that run at the same time: Amazon SQS allows no fewer for a queue. */
export const IMPORT_CONCURRENCY = 2;
