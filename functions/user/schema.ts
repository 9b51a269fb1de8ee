import { CalendarMonth } from "@nectar/core/calendar-date";
import { WebLink } from "@nectar/core/links";
import { text } from "@nectar/core/text";
import { isIanaTimeZone } from "@nectar/core/time-zone";
import { TokenUsage } from "@nectar/core/token-usage";
import { atLeastOneField } from "@nectar/http/at-least-one-field";
import { z } from "zod";

/** A person's own profile. */
export const Profile = z
  .object({
    id: z.guid(),
    email: z.string().nullable(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    preferences: z.looseObject({
      theme: z.string().optional(),
      notifications: z.boolean().optional(),
      active_tone_pack_id: z.guid().nullable(),
    }),
    drops_balance: z.int(),
    is_ai: z.boolean(),
    role: z.enum(["user", "admin", "super_admin"]),
    read_notes_enabled: z.boolean(),
    check_in_enabled: z.boolean(),
    timezone: z.string().meta({ description: "IANA time zone." }),
    is_premium: z.boolean(),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Profile" });
export type Profile = z.infer<typeof Profile>;

const Preferences = z
  .object({
    theme: text({ max: 50 }).nullish(),
    notifications: z.boolean().nullish(),
    active_tone_pack_id: z
      .unknown()
      .transform((value) => (value === null ? null : undefined))
      .optional()
      .meta({
        description: "null puts the active tone pack away; any other value is ignored, because packs are activated.",
      }),
  })
  .meta({ description: "Merged into what is stored; null removes a setting." });

/** The body that changes one's profile. */
export const ProfileUpdate = atLeastOneField(
  z.object({
    full_name: text({ max: 100 }).nullish(),
    avatar_url: WebLink.nullish(),
    preferences: Preferences.optional(),
    read_notes_enabled: z.boolean().optional(),
    check_in_enabled: z.boolean().optional(),
    timezone: z.string().refine(isIanaTimeZone, "must be an IANA time zone such as Europe/Zurich").optional(),
  }),
).meta({ id: "ProfileUpdate" });
export type ProfileUpdate = z.output<typeof ProfileUpdate>;

/** The query of one's token usage. */
export const UsageQuery = z.object({
  month: CalendarMonth.optional().meta({ description: "UTC calendar month, `YYYY-MM`; the current one by default." }),
});

export const UsageResponse = z.object({ usage: TokenUsage });
export const ProfileResponse = z.object({ profile: Profile });
