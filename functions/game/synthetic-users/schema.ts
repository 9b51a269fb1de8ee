import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { SYNTHETIC_DEFAULTS, SYNTHETIC_REGIONS, SYNTHETIC_WINDOWS } from "#core/game/synthetic";
import { LENGTHS } from "#core/lengths.generated";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";
import { ActivityType } from "../schema.ts";

export const SyntheticUserId = Uuid.meta({ description: "The id of the synthetic user." });

/** How far the sum of shares may be from 1. */
const TOLERANCE = 0.001;

function shares<Name extends string>(names: readonly [Name, ...Name[]], defaults: Readonly<Record<Name, number>>) {
  const meaning = "Shares that sum to 1 (within 0.001); names that you leave out get none.";
  return z
    .partialRecord(z.enum(names), z.number().min(0).max(1))
    .refine((given) => {
      const whole = names.reduce((sum, name) => sum + (given[name] ?? 0), 0);
      // A billionth for rounding errors of floating point, such as in 0.1 + 0.2.
      return Math.abs(whole - 1) <= TOLERANCE + 1e-9;
    }, "must sum to 1")
    .meta({ description: `${meaning} The default is ${JSON.stringify(defaults)}.` });
}

const Seed = z
  .union([z.string().trim().min(1).max(LENGTHS.synthetic_users.seed.max), z.int()])
  .transform(String)
  .meta({ description: "The same seed, count and shares draw the same users; random by default." });

export const NewSyntheticUsers = z
  .object({
    count: z.int().min(1).max(1000),
    config: z
      .strictObject({
        regions: shares(SYNTHETIC_REGIONS, SYNTHETIC_DEFAULTS.regions).optional(),
        activities: shares(ENUMS.activity_type, SYNTHETIC_DEFAULTS.activities).optional(),
        windows: shares(SYNTHETIC_WINDOWS, SYNTHETIC_DEFAULTS.windows).optional(),
        checkInProbability: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .meta({ description: `Share of days with a check-in; ${SYNTHETIC_DEFAULTS.checkInProbability} by default.` }),
        seed: Seed.optional(),
      })
      .optional(),
  })
  .meta({ id: "NewSyntheticUsers" });
export type NewSyntheticUsers = z.output<typeof NewSyntheticUsers>;

export const SyntheticToggle = z.object({ isActive: z.boolean() }).meta({ id: "SyntheticToggle" });

/** A synthetic user as super admins see it. */
export const SyntheticUser = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    region: z.string().meta({ description: "The region of the country, such as `West Coast`." }),
    city: z.string(),
    state: z.string().meta({ description: "Two letters." }),
    timezone: z.string().meta({ description: "IANA time zone." }),
    activity_type: ActivityType,
    window_start: z.string().meta({ description: "HH:MM in this user's time zone." }),
    window_end: z.string().meta({ description: "HH:MM in this user's time zone." }),
    check_in_probability: z.number().meta({ description: "Share of days with a check-in, 0 to 1." }),
    is_active: z.boolean().meta({ description: "Whether this user plays." }),
  })
  .meta({ id: "SyntheticUser" });
export type SyntheticUser = z.infer<typeof SyntheticUser>;

export const NewSyntheticUsersResponse = z.object({
  created: z.int(),
  failed: z.int().meta({ description: "Always 0: either all are created, or the request fails and none is." }),
  users: z.array(SyntheticUser),
  errors: z.array(z.string()).meta({ description: "Always empty." }),
  seed: z
    .string()
    .meta({ description: "The seed that the users were drawn from. Send it again to draw the same ones." }),
});
export type NewSyntheticUsersResponse = z.infer<typeof NewSyntheticUsersResponse>;

/** Synthetic users on one page: normally all of them, and no more than fit into a response. */
export const MAX_PAGE = 10_000;

export const SyntheticUsersQuery = z.object(pageFields({ default: MAX_PAGE, max: MAX_PAGE }));
export type SyntheticUsersQuery = z.output<typeof SyntheticUsersQuery>;

export const SyntheticUsersResponse = z.object({ users: z.array(SyntheticUser), nextCursor: NextCursor });
export const SyntheticUserResponse = z.object({ user: SyntheticUser });
