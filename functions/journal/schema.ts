import * as z from "zod";
import { MOODS } from "#core/assistant/moods";
import { LENGTHS } from "#core/lengths.generated";
import { DEFAULT_STATS_DAYS, MAX_ENTRIES_SEARCHED, MAX_MOODS_COUNTED, MAX_TAGS_OF_STATS } from "#core/limits";
import { Scope } from "#core/people/visibility";
import { grouped } from "#core/text/numbers";
import { cleanTags } from "#core/text/tags";
import { normalizeText, textProblem } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { CalendarDate } from "#core/time/calendar-date";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { ChosenId } from "#http/request/chosen-id";
import { NextCursor, pageFields } from "#http/response/paging";
import {
  AI_EXCLUDED,
  CommentsEnabled,
  Entry,
  EntryFields,
  EntryWithPictures,
  INHERIT_VISIBILITY,
  ListedEntry,
} from "#journal/entry";
import { EntryContent, EntryMood, EntryTags, EntryTitle } from "#journal/entry-fields";
import { newSharing, SHARING_FIELDS } from "#journal/sharing";

export const EntryId = Uuid.meta({ description: "The id of the entry." });

const VISIBILITY_FIELDS = {
  notebook_id: Uuid.nullish().meta({ description: "One of your notebooks." }),
  ...SHARING_FIELDS,
  inherit_visibility: z.boolean().optional().meta({ description: INHERIT_VISIBILITY }),
};

const OPTIONAL_FIELDS = {
  mood: EntryMood.nullish(),
  tags: EntryTags.nullish().meta({
    description: `At most ${LENGTHS.journal_entries.tags.max} after duplicates and a leading # are removed.`,
  }),
  entry_date: CalendarDate.optional().meta({
    description:
      "The day that the entry is about, from 1900-01-01 to tomorrow in your time zone. The default is today there.",
  }),
  ai_excluded: z
    .boolean()
    .optional()
    .meta({ description: `${AI_EXCLUDED} The default is what the notebook says, or false.` }),
  comments_enabled: CommentsEnabled,
  ...VISIBILITY_FIELDS,
};

export const NewEntry = newSharing(
  z.object({ id: ChosenId, title: EntryTitle, content: EntryContent, ...OPTIONAL_FIELDS }),
).meta({
  id: "NewEntry",
});
export type NewEntry = z.output<typeof NewEntry>;

export const EntryUpdate = atLeastOneField(
  z.object({ title: EntryTitle.optional(), content: EntryContent.optional(), ...OPTIONAL_FIELDS }),
).meta({ id: "EntryUpdate" });
export type EntryUpdate = z.output<typeof EntryUpdate>;

const Term = z.string().overwrite(normalizeText).min(1, "must not be blank");

/** The first moment of a UTC day or an exact moment, from `YYYY-MM-DD` or an RFC 3339 timestamp. */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], "must be a date or an RFC 3339 timestamp")
  // Calendars disagree about year 0, and a day after year 9999 has no four-digit year.
  .refine((moment) => /^(?!0000|9999)\d{4}/.test(moment), "must be between the years 1 and 9998");

const SORTS = ["created_at", "-created_at", "entry_date", "-entry_date"] as const;

/** Whether a list is in the order of the dates of its entries. */
export function isByDate(sort: (typeof SORTS)[number]): boolean {
  return sort === "entry_date" || sort === "-entry_date";
}

const EntryQueryFields = z.object({
  // A cursor by date has the date as its part.
  ...pageFields(undefined, CalendarDate),
  q: Term.max(200)
    .optional()
    .meta({
      description: `Part of the title, or of content that you may see; in upper or lower case. If it has no three letters or digits in a row, only the newest ${grouped(MAX_ENTRIES_SEARCHED)} entries are searched, of those that \`notebook_id\`, \`scope\`, \`from\` and \`to\` leave.`,
    }),
  mood: Term.max(LENGTHS.journal_entries.mood.max)
    .optional()
    .meta({ description: "Only entries with this mood, in upper or lower case." }),
  tag: z
    .array(Term.max(50))
    .max(LENGTHS.journal_entries.tags.max)
    .optional()
    .meta({ description: "Only entries with this tag. Repeat the parameter to require several tags." }),
  notebook_id: Uuid.optional().meta({ description: "Only entries of this notebook." }),
  from: Moment.optional().meta({
    description: "Only entries that were created at or after this time. A date means the start of that UTC day.",
  }),
  to: Moment.optional().meta({
    description: "Only entries that were created at or before this time. A date means the end of that UTC day.",
  }),
  date_from: CalendarDate.optional().meta({ description: "Only entries about this day or a later one." }),
  date_to: CalendarDate.optional().meta({ description: "Only entries about this day or an earlier one." }),
  scope: Scope,
  sort: z.enum(SORTS).default("-created_at").meta({
    description:
      "`-created_at` is newest first, `created_at` is oldest first. `-entry_date` and `entry_date` are by the day that an entry is about, and on the same day by creation time.",
  }),
  fields: EntryFields,
});

export const EntryQuery = EntryQueryFields.refine(
  ({ cursor, sort }) => cursor === undefined || isByDate(sort) === (cursor.part !== undefined),
  { path: ["cursor"], message: "must be a cursor that this list returned for the same `sort`" },
);
export type EntryQuery = z.output<typeof EntryQuery>;

const TrashedEntry = z
  .object({
    id: z.guid(),
    title: z.string(),
    deleted_at: z.iso.datetime({ precision: 3 }),
    expires_at: z.iso.datetime({ precision: 3 }).meta({ description: "When it is deleted for good." }),
  })
  .meta({ id: "TrashedEntry" });

export const AudiencePreview = z
  .object({
    entry_id: Uuid.nullish().meta({
      description: "One of your entries, to preview an update; without it, a new entry.",
    }),
    ...VISIBILITY_FIELDS,
  })
  .meta({ id: "AudiencePreview" });
export type AudiencePreview = z.output<typeof AudiencePreview>;

export const OnThisDayQuery = z.object({
  date: CalendarDate.optional().meta({ description: "The default is today in the time zone of your profile." }),
});

export const StatsQuery = z.object({
  from: CalendarDate.optional().meta({
    description: `The first day. The default is ${DEFAULT_STATS_DAYS - 1} days before \`to\`.`,
  }),
  to: CalendarDate.optional().meta({
    description: "The last day. The default is today in the time zone of your profile.",
  }),
});
export type StatsQuery = z.output<typeof StatsQuery>;

export const MoodCalendarQuery = z.object({
  year: z
    .string()
    .regex(/^(19|[2-9]\d)\d{2}$/, "must be a year from 1900 to 9999")
    .transform(Number)
    .optional()
    .meta({
      type: "integer",
      minimum: 1900,
      maximum: 9999,
      description: "The default is this year in the time zone of your profile.",
    }),
});

const Count = z.int();

export const JournalStats = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    entries: Count,
    words: Count.meta({ description: "The words of the contents. Each Chinese character and each kana is a word." }),
    days_written: Count.meta({ description: "Days with an entry." }),
    current_streak: Count.meta({
      description: "Days in a row with an entry, up to today or yesterday in the time zone of your profile.",
    }),
    longest_streak: Count.meta({ description: "The most days in a row with an entry. Streaks begin at `from`." }),
    moods: z.array(z.object({ mood: z.string(), count: Count })).meta({
      description: `Chosen and found ones, most frequent first, in their latest spelling; upper and lower case are the same. At most ${grouped(MAX_MOODS_COUNTED)}.`,
    }),
    tags: z.array(z.object({ tag: z.string(), count: Count })).meta({
      description: `The ${MAX_TAGS_OF_STATS} most used tags, in their latest spelling.`,
    }),
    by_day: z
      .array(
        z.object({
          date: z.iso.date(),
          entries: Count,
          words: Count,
          mood: z.string().nullable().meta({
            description: "The most frequent mood, the last one of equally frequent moods; null if there is none.",
          }),
        }),
      )
      .meta({ description: "Every day of the range." }),
    by_weekday: z.array(
      z.object({ weekday: z.int().min(1).max(7).meta({ description: "1 is Monday." }), entries: Count }),
    ),
    wellness: z
      .object({
        satisfaction_average: z.number().nullable().meta({ description: "null without a satisfaction entry." }),
        sleep_hours_average: z.number().nullable().meta({ description: "null without a sleep entry." }),
      })
      .meta({ description: "Of the wellness entries that you wrote on these days, rounded to two decimals." }),
  })
  .meta({ id: "JournalStats" });
export type JournalStats = z.infer<typeof JournalStats>;

export const OnThisDayResponse = z.object({ entries: z.array(Entry) });
export const StatsResponse = z.object({ stats: JournalStats });
export const EntryResponse = z.object({ entry: Entry });
export const EntryWithPicturesResponse = z.object({ entry: EntryWithPictures });
export const EntriesResponse = z.object({ entries: z.array(ListedEntry), next_cursor: NextCursor });
export const TrashResponse = z.object({ entries: z.array(TrashedEntry), next_cursor: NextCursor });
export const TagsResponse = z.object({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) });
export const MoodsResponse = z.object({
  moods: z.array(z.object({ name: z.enum(MOODS.map((mood) => mood.name)), category: z.string() })),
});

/** The tags of a query as entries have them. */
export function queryTags(tags: readonly string[]): string[] {
  return cleanTags(tags).filter((tag) => textProblem(tag) === null);
}
