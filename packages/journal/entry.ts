import { Visibility } from "@nectar/core/visibility";
import { z } from "zod";

/** An entry as one reader sees it. */
export const Entry = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    title: z.string(),
    content: z.string().nullable().meta({ description: "null when the reader may not see it." }),
    content_hidden: z.boolean(),
    mood: z.string().nullable(),
    mood_source: z.enum(["user", "ai"]).nullable(),
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

/** The metadata columns of an entry, in the order in which they are sent. */
export const ENTRY_COLUMNS = [
  "id",
  "user_id",
  "title",
  "mood",
  "mood_source",
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

/** An entry from its metadata and from its content; null is content that the reader may not see. */
export function presentEntry(row: Omit<Entry, "content" | "content_hidden">, content: string | null): Entry {
  const { id, user_id, title, ...rest } = row;
  return { id, user_id, title, content, content_hidden: content === null, ...rest };
}
