import { createHash } from "node:crypto";
import * as z from "zod";
import type { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { text } from "#core/text/text";
import { CalendarDate } from "#core/time/calendar-date";
import { EntryContent, EntryMood, EntryTags, EntryTitle, MAX_SENT_TAGS } from "#journal/entry-fields";
import type { Archive, ArchiveFile } from "./archive.ts";
import type { ArchivePicture } from "./pictures.ts";
import { type EntryProblemCode, type Problem, problemOf } from "./problems.ts";

/** The program that an archive comes from. */
export type ImportSource = (typeof ENUMS.import_source)[number];

/** An entry as it is imported. */
export interface ImportedEntry {
  /** SHA-256 of what identifies the entry in its source, in hex. */
  readonly external_id: string;
  /** The id of the entry if it was exported by this service, else null. */
  readonly exported_id: string | null;
  readonly title: string;
  readonly content: string;
  readonly mood: string | null;
  /** Null without a mood. */
  readonly mood_source: (typeof ENUMS.mood_source)[number] | null;
  readonly tags: readonly string[];
  readonly comments_enabled: boolean;
  /** The name of its notebook; null if it is in none. */
  readonly notebook: string | null;
  readonly notebook_description: string | null;
  readonly notebook_template: string | null;
  readonly notebook_ai_excluded_default: boolean;
  readonly entry_date: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** In their order. */
  readonly pictures: readonly ArchivePicture[];
}

/** A part of a source that should be an entry. */
export type Found = { readonly path: string; readonly entry: ImportedEntry } | { readonly problem: Problem };

/** The time zone and the moment that decide about dates. */
export interface ImportClock {
  /** The person's time zone, for what names none. */
  readonly timeZone: string;
  /** The first day that an entry can be about. */
  readonly firstDay: string;
  /** The last day that an entry can be about: tomorrow there. */
  readonly lastDay: string;
}

/** An archive as its source understands it. */
export interface SourceArchive {
  /** The files with entries, in the order in which they are imported. */
  readonly files: readonly ArchiveFile[];
  /** The entries of a file, always in the same order. */
  entriesOf(file: ArchiveFile): AsyncIterable<Found>;
}

/** Finds the entries of an archive. @throws ArchiveProblem if it has none of this source */
export type OpenSource = (archive: Archive, clock: ImportClock) => Promise<SourceArchive>;

/** The notebook of an entry; what it has besides its name is for one that is created. */
interface DraftNotebook {
  readonly name: unknown;
  readonly description?: unknown;
  readonly template?: unknown;
  readonly ai_excluded_default?: boolean | undefined;
}

/** An entry as its source describes it: everything from a file is unknown until it is checked. */
export interface Draft {
  /** Its id in its source. */
  readonly externalId: string;
  readonly exportedId?: string;
  readonly title: unknown;
  readonly content: unknown;
  readonly mood?: unknown;
  readonly moodSource?: unknown;
  readonly tags?: unknown;
  readonly commentsEnabled?: boolean | undefined;
  readonly notebook?: DraftNotebook | null;
  /** The day that it is about, `YYYY-MM-DD`. */
  readonly entryDate: unknown;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
  readonly pictures: readonly ArchivePicture[];
}

/** JavaScript writes later years in a form that PostgreSQL does not read. */
const Time = z
  .date("must be a time such as 2026-11-21T08:30:00Z")
  .max(new Date("9999-12-31T23:59:59.999Z"), "must be before the year 10000");

const DraftFields = z.object({
  title: EntryTitle,
  content: EntryContent,
  mood: EntryMood.nullish(),
  tags: EntryTags.nullish(),
  notebook: z
    .object({
      name: text(LENGTHS.notebooks.name),
      description: text({ ...LENGTHS.notebooks.description, min: 0 }).nullish(),
      template: text({ ...LENGTHS.notebook_contents.template, min: 0, trims: false }).nullish(),
      ai_excluded_default: z.boolean().default(false),
    })
    .nullish(),
  entryDate: CalendarDate,
  createdAt: Time,
  updatedAt: Time.optional(),
});

const PROBLEM_CODES: Readonly<Record<keyof z.output<typeof DraftFields>, EntryProblemCode>> = {
  title: "invalid_title",
  content: "invalid_content",
  mood: "invalid_mood",
  tags: "invalid_tags",
  notebook: "invalid_notebook",
  entryDate: "invalid_date",
  createdAt: "invalid_date",
  updatedAt: "invalid_date",
};

/** Checks an entry by the limits of the API. @param path shown if there is a problem */
export function checked(path: string, draft: Draft, clock: ImportClock): Found {
  const { success, data, error } = DraftFields.safeParse({
    ...draft,
    mood: typeof draft.mood === "string" ? draft.mood : null,
    tags: isListOfOthers(draft.tags) ? null : draft.tags,
  });
  if (!success) {
    const [issue] = error.issues;
    const field = DraftFields.keyof().safeParse(issue?.path[0]).data ?? "content";
    return entryProblem(path, PROBLEM_CODES[field], `${NAMES[field]} ${issue?.message}.`);
  }
  const { mood, notebook, createdAt } = data;
  const updatedAt = new Date(Math.max(createdAt.getTime(), data.updatedAt?.getTime() ?? 0));
  if (!isPossible(data.entryDate, createdAt, clock)) {
    return entryProblem(path, "invalid_date", `The date must be between ${clock.firstDay} and tomorrow.`);
  }
  return {
    path,
    entry: {
      external_id: createHash("sha256").update(draft.externalId).digest("hex"),
      exported_id: z.guid().safeParse(draft.exportedId).data ?? null,
      title: data.title,
      content: data.content,
      mood: mood || null,
      mood_source: mood ? (draft.moodSource === "ai" ? "ai" : "user") : null,
      tags: data.tags ?? [],
      comments_enabled: draft.commentsEnabled ?? true,
      notebook: notebook?.name ?? null,
      notebook_description: notebook?.description || null,
      notebook_template: notebook?.template || null,
      notebook_ai_excluded_default: notebook?.ai_excluded_default ?? false,
      entry_date: data.entryDate,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      pictures: draft.pictures,
    },
  };
}

/** Whether tags are of another kind, such as lists; they are left out. A list that is far too long is not looked at. */
function isListOfOthers(tags: unknown): boolean {
  if (!Array.isArray(tags)) return true;
  return tags.length <= MAX_SENT_TAGS && tags.some((tag) => typeof tag !== "string");
}

const NAMES: Readonly<Record<keyof z.output<typeof DraftFields>, string>> = {
  title: "The title",
  content: "The text",
  mood: "The mood",
  tags: "A tag or their number",
  notebook: "The name, description or template of the notebook",
  entryDate: "The date",
  createdAt: "The time of writing",
  updatedAt: "The time of the last change",
};

/** A problem with one entry. */
export function entryProblem(path: string, code: EntryProblemCode, message: string): Found {
  return { problem: problemOf(path, code, message) };
}

function isPossible(entryDate: string, createdAt: Date, { firstDay, lastDay }: ImportClock): boolean {
  return firstDay <= entryDate && entryDate <= lastDay && createdAt.getTime() >= Date.parse(firstDay);
}
