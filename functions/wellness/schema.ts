import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { ChosenId } from "#http/request/chosen-id";
import { NextCursor, pageFields } from "#http/response/paging";

export const WellnessEntryId = Uuid.meta({ description: "The id of the wellness entry." });

const WellnessType = z.enum(ENUMS.wellness_type);
const Rating = z.int().min(1).max(10);
const Content = text(LENGTHS.wellness_entries.content);
const Hours = z.number().min(0).max(24);
const Quality = z.int().min(1).max(5);

export const WellnessEntry = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    type: WellnessType,
    rating: Rating.nullable().meta({ description: "null unless type is `satisfaction`." }),
    content: z.string().nullable().meta({ description: "null unless type is `action_note`." }),
    hours: Hours.nullable().meta({ description: "Hours of sleep; null unless type is `sleep`." }),
    quality: Quality.nullable().meta({ description: "Quality of sleep; null if not given." }),
    notes: z.string().nullable().meta({ description: "null if not given." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "WellnessEntry" });
/** An entry with what its etag is computed from. */
export type VersionedWellnessEntry = z.infer<typeof WellnessEntry> & { readonly version: string };

const Notes = text({ ...LENGTHS.wellness_entries.notes, min: 0 }).nullish();

export const NewWellnessEntry = z
  .discriminatedUnion("type", [
    z.object({
      id: ChosenId,
      type: z.literal("satisfaction"),
      rating: Rating.meta({ description: "From 1 (low) to 10 (high)." }),
      notes: Notes,
    }),
    z.object({ id: ChosenId, type: z.literal("action_note"), content: Content }),
    z.object({
      id: ChosenId,
      type: z.literal("sleep"),
      hours: Hours.meta({ description: "Hours of sleep, rounded to two decimals." }),
      quality: Quality.nullish().meta({ description: "Quality of sleep, from 1 (bad) to 5 (good)." }),
      notes: Notes,
    }),
  ])
  .meta({ id: "NewWellnessEntry" });
export type NewWellnessEntry = z.output<typeof NewWellnessEntry>;

export const WellnessEntryUpdate = atLeastOneField(
  z.object({
    type: WellnessType.optional(),
    rating: Rating.nullish().meta({ description: "Only if type is `satisfaction`: from 1 (low) to 10 (high)." }),
    content: Content.nullish().meta({ description: "Only if type is `action_note`." }),
    hours: Hours.nullish().meta({ description: "Only if type is `sleep`: hours, rounded to two decimals." }),
    quality: Quality.nullish().meta({ description: "Only if type is `sleep`: from 1 (bad) to 5 (good)." }),
    notes: Notes.meta({ description: "Not if type is `action_note`." }),
  }),
).meta({ id: "WellnessEntryUpdate" });
export type WellnessEntryUpdate = z.output<typeof WellnessEntryUpdate>;

export const WellnessQuery = z.object({
  ...pageFields(),
  type: WellnessType.optional().meta({ description: "Only entries of this type." }),
});
export type WellnessQuery = z.output<typeof WellnessQuery>;

export const WellnessEntryResponse = z.object({ wellness_entry: WellnessEntry });
export const WellnessEntriesResponse = z.object({ wellness_entries: z.array(WellnessEntry), next_cursor: NextCursor });
