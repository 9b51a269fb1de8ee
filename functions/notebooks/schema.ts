import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { MAX_AUDIENCE_COUNTED, MAX_ENTRIES_COUNTED, MAX_EXAMPLES } from "#core/limits";
import { Moderation } from "#core/people/moderation";
import { Scope, Visibility } from "#core/people/visibility";
import { grouped } from "#core/text/numbers";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { ChosenId } from "#http/request/chosen-id";
import { NextCursor, pageFields } from "#http/response/paging";
import { EntryFields, ListedEntry } from "#journal/entry";
import { newSharing, SHARING_FIELDS } from "#journal/sharing";

export const NotebookId = Uuid.meta({ description: "The id of the notebook." });

const AI_EXCLUDED_DEFAULT = "true: no model reads new entries in it, unless they say otherwise.";
const TEMPLATE = "What a client puts into a new entry. It is seen by those who may see the notebook and its content.";

export const Notebook = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    metadata_visibility: Visibility.meta({ description: "Who may see the notebook." }),
    content_visibility: Visibility.meta({
      description: "Who may see the template, and the content of entries that inherit it.",
    }),
    team_id: z.guid().nullable().meta({ description: "The team that visibility `team` means." }),
    org_id: z.guid().nullable().meta({ description: "The organization that visibility `org` means." }),
    ai_excluded_default: z.boolean().meta({ description: AI_EXCLUDED_DEFAULT }),
    template: z
      .string()
      .nullable()
      .meta({ description: `${TEMPLATE} null if there is none, or you may not see it.` }),
    content_hidden: z.boolean().meta({ description: "Whether you may not see the template." }),
    entry_count: z.int().meta({
      description: `Entries in it that you may see, counted up to ${grouped(MAX_ENTRIES_COUNTED)}: ${MAX_ENTRIES_COUNTED} means as many or more.`,
    }),
    moderation: Moderation,
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Notebook" });
/** A notebook with what its etag is computed from. */
export type VersionedNotebook = z.infer<typeof Notebook> & { readonly version: string };

const OPTIONAL_FIELDS = {
  description: text({ ...LENGTHS.notebooks.description, min: 0 }).nullish(),
  template: text({ ...LENGTHS.notebook_contents.template, min: 0, trims: false })
    .nullish()
    .meta({ description: `${TEMPLATE} It is stored with its blanks; an empty one is null.` }),
  ai_excluded_default: z.boolean().optional().meta({ description: AI_EXCLUDED_DEFAULT }),
  ...SHARING_FIELDS,
};

export const NewNotebook = newSharing(
  z.object({ id: ChosenId, name: text(LENGTHS.notebooks.name), ...OPTIONAL_FIELDS }),
).meta({
  id: "NewNotebook",
});
export type NewNotebook = z.output<typeof NewNotebook>;

export const NotebookUpdate = atLeastOneField(
  z.object({ name: text(LENGTHS.notebooks.name).optional(), ...OPTIONAL_FIELDS }),
).meta({ id: "NotebookUpdate" });
export type NotebookUpdate = z.output<typeof NotebookUpdate>;

export const NotebookAudiencePreview = z.object(SHARING_FIELDS).meta({ id: "NotebookAudiencePreview" });
export type NotebookAudiencePreview = z.output<typeof NotebookAudiencePreview>;

export const NotebookQuery = z.object({ ...pageFields(), scope: Scope });
export type NotebookQuery = z.output<typeof NotebookQuery>;

export const NotebookEntriesQuery = z.object({ ...pageFields(), fields: EntryFields });
export type NotebookEntriesQuery = z.output<typeof NotebookEntriesQuery>;

export const NotebookResponse = z.object({ notebook: Notebook });
export const NotebooksResponse = z.object({ notebooks: z.array(Notebook), next_cursor: NextCursor });
export const EntriesResponse = z.object({ entries: z.array(ListedEntry), next_cursor: NextCursor });
export const NotebookPreviewResponse = z.object({
  preview: z
    .object({
      entries: z
        .int()
        .meta({ description: "Entries that other people than now could see, or whose content they could." }),
      approximate: z.boolean().meta({
        description: `The notebook has more than ${grouped(MAX_AUDIENCE_COUNTED)} entries, and only the newest were looked at.`,
      }),
      widened: z.int().meta({
        description: "How often metadata or content of an entry could be seen by people who cannot see it now.",
      }),
      narrowed: z.int().meta({
        description:
          "How often metadata or content of an entry could no longer be seen by people who can see it now. What changes from one team or organization to another is widened as well.",
      }),
      examples: z
        .array(
          z.object({
            entry_id: z.guid(),
            title: z.string(),
            axis: z.enum(ENUMS.visibility_axis),
            from: Visibility,
            to: Visibility,
          }),
        )
        .meta({
          description: `At most ${MAX_EXAMPLES}: widened ones first, then newest entries first. \`from\` and \`to\` say who sees it: for content the narrower one of metadata and content.`,
        }),
    })
    .meta({ id: "NotebookPreview" }),
});
export type NotebookPreview = z.infer<typeof NotebookPreviewResponse>["preview"];

export const DeletedNotebookResponse = z.object({
  message: z.string(),
  entries_detached: z
    .int()
    .meta({ description: "Entries that were in it. They were kept and are in no notebook now." }),
});
