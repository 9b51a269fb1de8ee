import { createHash } from "node:crypto";
import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { text } from "#core/text/text";
import { CalendarDate } from "#core/time/calendar-date";
import { EntryContent, EntryMood, EntryTags, EntryTitle, MAX_SENT_TAGS } from "#journal/entry-fields";
import type { Archive, ArchiveFile } from "./archive.ts";
import type { ArchivePicture } from "./pictures.ts";
import { type EntryProblemCode, type Problem, problemOf } from "./problems.ts";

/** The program that an archive comes from. */
export type ImportSource = (typeof ENUMS.import_source)[number];

/** JavaScript writes later years in a form that PostgreSQL does not read. */
const Time = z
  .date("must be a time such as 2026-11-21T08:30:00Z")
  .max(new Date("9999-12-31T23:59:59.999Z"), "must be before the year 10000");

/** The columns of an entry that a source may have. */
const EntryColumns = z.object({
  title: EntryTitle,
  content: EntryContent,
  mood: EntryMood.nullish(),
  mood_source: z.enum(ENUMS.mood_source).catch("user"),
  tags: EntryTags.nullish().transform((tags) => tags ?? []),
  comments_enabled: z.boolean().catch(true),
});
type EntryColumns = z.output<typeof EntryColumns>;

/** An entry as it is imported. */
export interface ImportedEntry extends Readonly<Omit<EntryColumns, "mood" | "mood_source">> {
  /** SHA-256 of what identifies the entry in its source, in hex. */
  readonly external_id: string;
  /** The id of the entry if it was exported by this service, else null. */
  readonly exported_id: string | null;
  readonly mood: string | null;
  /** Null without a mood. */
  readonly mood_source: EntryColumns["mood_source"] | null;
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
export interface Draft extends Readonly<Partial<Record<keyof EntryColumns, unknown>>> {
  /** Its id in its source. */
  readonly externalId: string;
  readonly exportedId?: string;
  readonly notebook?: DraftNotebook | null;
  /** The day that it is about, `YYYY-MM-DD`. */
  readonly entry_date?: unknown;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
  readonly pictures: readonly ArchivePicture[];
}

const DraftFields = EntryColumns.extend({
  notebook: z
    .object({
      name: text(LENGTHS.notebooks.name),
      description: text({ ...LENGTHS.notebooks.description, min: 0 }).nullish(),
      template: text({ ...LENGTHS.notebook_contents.template, min: 0, trims: false }).nullish(),
      ai_excluded_default: z.boolean().default(false),
    })
    .nullish(),
  entry_date: CalendarDate,
  createdAt: Time,
  updatedAt: Time.optional(),
});

/** The fields for which an entry is refused, and their names in its problem. */
const PROBLEMS: Readonly<Record<string, readonly [code: EntryProblemCode, name: string]>> = {
  title: ["invalid_title", "The title"],
  mood: ["invalid_mood", "The mood"],
  tags: ["invalid_tags", "A tag or their number"],
  notebook: ["invalid_notebook", "The name, description or template of the notebook"],
  entry_date: ["invalid_date", "The date"],
  createdAt: ["invalid_date", "The time of writing"],
  updatedAt: ["invalid_date", "The time of the last change"],
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
    const [code, name] = PROBLEMS[String(issue?.path[0])] ?? ["invalid_content", "The text"];
    return entryProblem(path, code, `${name} ${issue?.message}.`);
  }
  const { mood, mood_source, notebook, createdAt, updatedAt: changedAt, ...columns } = data;
  const updatedAt = new Date(Math.max(createdAt.getTime(), changedAt?.getTime() ?? 0));
  if (!isPossible(columns.entry_date, createdAt, clock)) {
    return entryProblem(path, "invalid_date", `The date must be between ${clock.firstDay} and tomorrow.`);
  }
  return {
    path,
    entry: {
      ...columns,
      external_id: createHash("sha256").update(draft.externalId).digest("hex"),
      exported_id: z.guid().safeParse(draft.exportedId).data ?? null,
      mood: mood || null,
      mood_source: mood ? mood_source : null,
      notebook: notebook?.name ?? null,
      notebook_description: notebook?.description || null,
      notebook_template: notebook?.template || null,
      notebook_ai_excluded_default: notebook?.ai_excluded_default ?? false,
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

/** A problem with one entry. */
export function entryProblem(path: string, code: EntryProblemCode, message: string): Found {
  return { problem: problemOf(path, code, message) };
}

function isPossible(entryDate: string, createdAt: Date, { firstDay, lastDay }: ImportClock): boolean {
  return firstDay <= entryDate && entryDate <= lastDay && createdAt.getTime() >= Date.parse(firstDay);
}
