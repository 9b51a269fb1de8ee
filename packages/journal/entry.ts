import { Visibility } from "@nectar/core/visibility";
import { sql } from "kysely";
import { z } from "zod";

/** The length of an excerpt in code points. */
export const EXCERPT_LENGTH = 280;

/** An entry as one reader sees it. */
export const Entry = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    title: z.string(),
    content: z.string().nullable().meta({ description: "null if you may not see it, or if a list leaves it out." }),
    content_hidden: z.boolean().meta({ description: "Whether the content is hidden from you." }),
    mood: z.string().nullable().meta({ description: "A mood that was found in the content is hidden with it." }),
    mood_source: z
      .enum(["user", "ai"])
      .nullable()
      .meta({ description: "user: chosen by the author; ai: found in the content by a model." }),
    tags: z.array(z.string()),
    notebook_id: z.guid().nullable(),
    metadata_visibility: Visibility,
    content_visibility: Visibility,
    inherit_visibility: z.boolean().meta({ description: "Whether 'user' means what the notebook says, or private." }),
    team_id: z.guid().nullable(),
    org_id: z.guid().nullable(),
    effective_metadata_visibility: Visibility,
    effective_content_visibility: Visibility,
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Entry" });
export type Entry = z.infer<typeof Entry>;

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
    "How much of each entry to return. metadata: content is null. excerpt: content is null and content_excerpt holds its beginning. content_hidden says in either case whether you may see the content.",
});
export type EntryFields = z.output<typeof EntryFields>;

/** The columns of an entry that are the same for every reader. */
export const ENTRY_COLUMNS = [
  "id",
  "user_id",
  "title",
  "tags",
  "notebook_id",
  "metadata_visibility",
  "content_visibility",
  "inherit_visibility",
  "team_id",
  "org_id",
  "effective_metadata_visibility",
  "effective_content_visibility",
  "created_at",
  "updated_at",
] as const;

/**
 * The columns of an entry `e` without its text. `c` is its content, all null if the reader may not see it; then a mood that
 * was detected in it is hidden as well.
 */
export const ENTRY_SELECTION = sql.raw(`
  ${ENTRY_COLUMNS.map((column) => `e.${column}`).join(", ")},
  coalesce(e.mood, c.found_mood) as mood,
  case when e.mood is not null then 'user' when c.found_mood is not null then 'ai' end as mood_source,
  c.entry_id is null as content_hidden`);
