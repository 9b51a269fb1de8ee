import {
  SYNTHETIC_ACTIVITIES,
  SYNTHETIC_DEFAULTS,
  SYNTHETIC_REGIONS,
  SYNTHETIC_WINDOWS,
} from "@nectar/core/game/synthetic";
import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";
import { ActivityType } from "../schema.ts";

/** How far shares may be from the whole. */
const TOLERANCE = 0.001;

function shares<Name extends string>(names: readonly [Name, ...Name[]], usual: Readonly<Record<Name, number>>) {
  const meaning = "Shares that sum to 1 (within 0.001); what is not named gets none.";
  return z
    .partialRecord(z.enum(names), z.number().min(0).max(1))
    .refine((given) => {
      const whole = names.reduce((sum, name) => sum + (given[name] ?? 0), 0);
      // A billionth for what floating point makes of 0.1 + 0.2.
      return Math.abs(whole - 1) <= TOLERANCE + 1e-9;
    }, "must sum to 1")
    .meta({ description: `${meaning} Usually ${JSON.stringify(usual)}.` });
}

const Seed = z
  .union([z.string().trim().min(1).max(100), z.int()])
  .transform(String)
  .meta({ description: "The same seed and shares draw the same people; drawn when it is not given." });

/** The body that generates synthetic users. */
export const NewSyntheticUsers = z
  .object({
    count: z.int().min(1).max(1000),
    config: z
      .strictObject({
        regions: shares(SYNTHETIC_REGIONS, SYNTHETIC_DEFAULTS.regions).optional(),
        activities: shares(SYNTHETIC_ACTIVITIES, SYNTHETIC_DEFAULTS.activities).optional(),
        windows: shares(SYNTHETIC_WINDOWS, SYNTHETIC_DEFAULTS.windows).optional(),
        checkInProbability: z.number().min(0).max(1).optional(),
        seed: Seed.optional(),
      })
      .optional(),
  })
  .meta({ id: "NewSyntheticUsers" });
export type NewSyntheticUsers = z.output<typeof NewSyntheticUsers>;

/** The body that lets a synthetic user play or rest. */
export const SyntheticToggle = z.object({ isActive: z.boolean() }).meta({ id: "SyntheticToggle" });

/** A synthetic user as super admins see it. */
export const SyntheticUser = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    region: z.string(),
    city: z.string(),
    state: z.string(),
    timezone: z.string(),
    activity_type: ActivityType,
    window_start: z.string().meta({ description: "HH:MM in the time zone." }),
    window_end: z.string(),
    check_in_probability: z.number(),
    is_active: z.boolean(),
  })
  .meta({ id: "SyntheticUser" });
export type SyntheticUser = z.infer<typeof SyntheticUser>;

export const NewSyntheticUsersResponse = z.object({
  created: z.int(),
  failed: z.int().meta({ description: "Always 0: all are made or, with an error, none." }),
  users: z.array(SyntheticUser),
  errors: z.array(z.string()),
  seed: z.string().meta({ description: "What they were drawn from." }),
});
export type NewSyntheticUsersResponse = z.infer<typeof NewSyntheticUsersResponse>;

/** Synthetic users on one page: all that there usually are, and no more than an answer may hold. */
const MAX_PAGE = 10_000;

/** The query of the list of synthetic users. */
export const SyntheticUsersQuery = z.object(pageFields({ default: MAX_PAGE, max: MAX_PAGE }));
export type SyntheticUsersQuery = z.output<typeof SyntheticUsersQuery>;

export const SyntheticUsersResponse = z.object({ users: z.array(SyntheticUser), nextCursor: NextCursor });
export const SyntheticUserResponse = z.object({ user: SyntheticUser });
