import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import type { Issue } from "#core/errors";
import { MAX_AUDIENCE_COUNTED } from "#core/limits";
import { Visibility } from "#core/people/visibility";
import { grouped } from "#core/text/numbers";
import { Uuid } from "#core/text/uuid";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import {
  applySharing,
  ownSharing,
  refusal,
  type SharedTable,
  type SharingInput,
  sharingIssues,
  updateProblems,
} from "./sharing.ts";

const Named = z.object({ id: z.guid(), name: z.string() });

const AxisAudience = z
  .object({
    set: Visibility.meta({ description: "The visibility of the entry or goal itself." }),
    effective: Visibility.meta({ description: "What applies, with the notebook considered." }),
    inherited_from: z
      .object({ notebook_id: z.guid(), name: z.string() })
      .nullable()
      .meta({ description: "The notebook whose visibility applies; null if its own does." }),
    team: Named.nullable().meta({ description: "The team that `effective` means." }),
    organization: Named.nullable().meta({ description: "The organization that `effective` means." }),
    people: z.int().nullable().meta({
      description:
        "How many people besides you can see it. Content is only seen by those who can see the metadata. Super admins, who can see everything, do not count. null: all signed-in users without a block between you.",
    }),
    approximate: z.boolean().meta({
      description: `More people can see it than \`people\` says; ${grouped(MAX_AUDIENCE_COUNTED)} are counted.`,
    }),
    reasons: z.array(z.enum(ENUMS.audience_reason)).meta({
      description:
        "First where the visibility comes from. explicit: the entry or goal sets it; inherited_from_notebook: the entry says `user` and inherits; not_inherited: it says `user` and does not inherit; private: it says `user` and is in no notebook. Then what else decides. share_void: you are not in that team or organization; limited_by_metadata: some of those who could see the content cannot see the metadata; public: all signed-in users can see it; hidden_by_moderation: an admin has hidden it or the notebook.",
    }),
  })
  .meta({ id: "AxisAudience" });

export const AudienceResponse = z.object({ audience: z.object({ metadata: AxisAudience, content: AxisAudience }) });
export type Audience = z.infer<typeof AudienceResponse>["audience"];
export const ReaderId = Uuid.meta({ description: "The id of someone in an organization of yours." });
export const SeesResponse = z.object({ sees: z.object({ metadata: z.boolean(), content: z.boolean() }) });
export type Sees = z.infer<typeof SeesResponse>["sees"];

/** The things whose audience their author can ask for. */
type Table = Exclude<SharedTable, "notebooks">;

const idsOf = (table: Table, id: string | null) =>
  table === "goals" ? { entryId: null, goalId: id } : { entryId: id, goalId: null };

/** Reads who can see a thing of the caller. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function readAudience(tx: Tx, table: Table, id: string): Promise<Audience> {
  const audience = await call(tx, "read_audience", idsOf(table, id));
  if (audience === null) throw await refusal(tx, table, id);
  return audience;
}

/**
 * Reads what a person can see of a thing of the caller.
 * @throws AppError 404 or 403 as `readAudience`, 404 if the person shares no organization with the caller
 */
export async function readAudienceMember(tx: Tx, table: Table, id: string, userId: string): Promise<Sees> {
  const sees = await call(tx, "sees_thing", { ...idsOf(table, id), personId: userId });
  if (sees === null) throw await refusal(tx, table, id);
  return sees;
}

/** The fields of a preview; the last two are those of entries. */
interface PreviewInput extends SharingInput {
  readonly notebook_id?: string | null | undefined;
  readonly inherit_visibility?: boolean | undefined;
}

/**
 * Computes who could see a thing if it were created or updated like this. Writes nothing.
 * @param id null for a new one
 * @throws AppError as writing it
 */
export async function previewAudience(tx: Tx, table: Table, id: string | null, input: PreviewInput): Promise<Audience> {
  const present = id === null ? null : await ownSharing(tx, table, id).executeTakeFirst();
  if (id !== null && present === undefined) throw await refusal(tx, table, id);
  const sharing = await applySharing(tx, present ?? null, input);
  const change = { notebook_id: input.notebook_id, inherit_visibility: input.inherit_visibility, ...sharing };
  return call(tx, "preview_audience", { ...idsOf(table, id), change });
}

const Previewed = z.object({ entry_id: Uuid.nullish(), goal_id: Uuid.nullish() });

/** The sharing problems of a body about a new thing, or about an update of the one that it names. */
export async function previewProblems(tx: Tx, table: Table, body: unknown): Promise<Issue[]> {
  const previewed = Previewed.safeParse(body).data;
  if (previewed === undefined) return [];
  const id = (table === "goals" ? previewed.goal_id : previewed.entry_id) ?? null;
  return id === null ? sharingIssues(null, body) : updateProblems(tx, table, body, id);
}
