import * as z from "zod";
import { ENUMS, type Enum } from "#core/enums.generated";
import type { Scope } from "#http/access/programs";
import { pageFields } from "#http/response/paging";
import { Entry } from "#journal/entry";
import { Picture } from "#journal/picture";
import { CheckIn, Goal } from "../goals/schema.ts";
import { Notebook } from "../notebooks/schema.ts";
import { Profile } from "../user/schema.ts";
import { WellnessEntry } from "../wellness/schema.ts";

export type ThingType = Enum<"thing_type">;

/** The scope with which a program reads things of a type. */
export const SCOPE_OF = {
  entry: "journal:read",
  notebook: "journal:read",
  goal: "goals:read",
  goal_check_in: "goals:read",
  wellness_entry: "wellness:read",
  picture: "journal:read",
  profile: "profile:read",
} as const satisfies Record<ThingType, Scope>;
export const SCOPES = [...new Set(Object.values(SCOPE_OF))];

const Types = z.array(z.enum(ENUMS.thing_type)).min(1);

export const ChangesQuery = z.object({
  limit: pageFields({ default: 100, max: 200 }).limit,
  cursor: z.string().optional().meta({ description: "The `next_cursor` of the page before, or of the last walk." }),
  types: z
    .string()
    .transform((text, context) => {
      const types = Types.safeParse(text.split(","));
      if (types.success) return types.data;
      context.addIssue({ code: "custom", message: `must be some of ${ENUMS.thing_type.join(", ")}, with commas` });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: `Only things of these types, separated by commas; by default all.` }),
});
export type ChangesQuery = z.output<typeof ChangesQuery>;

/** A picture of an entry, without the addresses of its files. */
export const StoredPicture = Picture.omit({ url: true, thumbnail_url: true }).meta({ id: "StoredPicture" });

function changeOf<Type extends ThingType, Data extends z.ZodType>(type: Type, name: string, data: Data) {
  return z
    .object({
      type: z.literal(type),
      id: z.guid(),
      removed: z.boolean().meta({ description: "true if it was deleted or is in the trash." }),
      etag: z.string().nullable().meta({ description: "null if it is removed." }),
      data: data.nullable().meta({ description: "null if it is removed." }),
    })
    .meta({ id: `${name}Change` });
}

export const Change = z
  .discriminatedUnion("type", [
    changeOf("entry", "Entry", Entry),
    changeOf("notebook", "Notebook", Notebook),
    changeOf("goal", "Goal", Goal),
    changeOf("goal_check_in", "GoalCheckIn", CheckIn),
    changeOf("wellness_entry", "WellnessEntry", WellnessEntry),
    changeOf("picture", "Picture", StoredPicture),
    changeOf("profile", "Profile", Profile),
  ])
  .meta({ id: "Change" });
export type Change = z.infer<typeof Change>;

export const ChangesResponse = z.object({
  changes: z.array(Change),
  next_cursor: z.string().meta({
    description: "Send it as `cursor`: now if `has_more`, else when you next ask what changed. It is never null.",
  }),
  has_more: z.boolean().meta({ description: "Whether the walk goes on." }),
});
