import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { Moderation } from "#core/people/moderation";
import { Visibility } from "#core/people/visibility";
import { Picture } from "./picture.ts";

/** The length of an excerpt in code points. */
export const EXCERPT_LENGTH = 280;

export const INHERIT_VISIBILITY =
  "true: where a visibility is `user`, the visibility of the notebook applies. false: `user` means that only the author sees it.";

/** The fields of responses about comments, for entries and goals. */
export const COMMENT_FIELDS = {
  comments_enabled: z.boolean().meta({ description: "false: no one can comment any more." }),
  comment_count: z
    .int()
    .meta({ description: "All comments, those that you may not see included; 0 if you may not see the content." }),
};

/** The field of requests that turns comments on and off. */
export const CommentsEnabled = z
  .boolean()
  .optional()
  .meta({ description: "false: no one can comment. true by default." });

export const AI_EXCLUDED = "true: no model reads the entry.";

/** An entry as the caller sees it. */
export const Entry = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    title: z.string(),
    content: z.string().nullable().meta({ description: "null if you may not see it, or if `fields` leaves it out." }),
    content_hidden: z.boolean().meta({ description: "true if you may not see the content." }),
    mood: z.string().nullable().meta({ description: "null if there is none." }),
    mood_source: z.enum(ENUMS.mood_source).nullable().meta({
      description: "user: chosen by the author; ai: found in the content by a model; null if there is no mood.",
    }),
    tags: z.array(z.string()),
    notebook_id: z.guid().nullable().meta({ description: "null if the entry is in no notebook." }),
    entry_date: z.iso.date().meta({ description: "The day that the entry is about." }),
    ai_excluded: z.boolean().meta({ description: AI_EXCLUDED }),
    metadata_visibility: Visibility.meta({ description: "Who may see everything but the content." }),
    content_visibility: Visibility.meta({ description: "Who may see the content." }),
    inherit_visibility: z.boolean().meta({ description: INHERIT_VISIBILITY }),
    team_id: z.guid().nullable().meta({ description: "The team that visibility `team` means." }),
    org_id: z.guid().nullable().meta({ description: "The organization that visibility `org` means." }),
    effective_metadata_visibility: Visibility.meta({ description: "What applies, with the notebook considered." }),
    effective_content_visibility: Visibility.meta({ description: "What applies, with the notebook considered." }),
    ...COMMENT_FIELDS,
    moderation: Moderation,
    picture_count: z.int().meta({ description: "How many pictures it has; 0 if you may not see the content." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Entry" });
export type Entry = z.infer<typeof Entry>;
/** An entry with what its etag is computed from. */
export type VersionedEntry = Entry & { readonly version: string };

/** An entry with its pictures. */
export const EntryWithPictures = Entry.extend({
  pictures: z.array(Picture).meta({ description: "In their order; empty if you may not see the content." }),
}).meta({ id: "EntryWithPictures" });

/** An entry in a list. */
export const ListedEntry = Entry.extend({
  content_excerpt: z
    .string()
    .nullable()
    .optional()
    .meta({
      description: `With fields=excerpt: the first ${EXCERPT_LENGTH} characters of the content; null if you may not see it.`,
    }),
}).meta({ id: "ListedEntry" });
export type ListedEntry = z.infer<typeof ListedEntry>;

/** The query parameter for how much of each entry a list returns. */
export const EntryFields = z.enum(["all", "metadata", "excerpt"]).default("all").meta({
  description:
    "How much of each entry to return. metadata: content is null. excerpt: content is null and content_excerpt is its beginning. content_hidden always says whether you may see the content.",
});
export type EntryFields = z.output<typeof EntryFields>;

/** The columns of `journal_entries` that are the same for every reader. */
export const ENTRY_COLUMNS = Entry.omit({
  content: true,
  content_hidden: true,
  comment_count: true,
  moderation: true,
  picture_count: true,
}).keyof().options;
