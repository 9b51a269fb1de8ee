import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { TokenUsage } from "#core/money/token-usage";
import { Card } from "#core/people/card";
import { WebLink } from "#core/text/links";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { CalendarMonth } from "#core/time/calendar-date";
import { TimeZone } from "#core/time/time-zone";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { NextCursor } from "#http/response/paging";

const READ_NOTES = "Whether the assistant may read your journal entries.";
const CHECK_IN = "Whether the assistant may write to you.";
const LEADERBOARD = "Whether you are listed on the leaderboard of encouragement drops, and have a rank.";

export const Profile = z
  .object({
    id: z.guid(),
    email: z.string().nullable(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    preferences: z.looseObject({
      theme: z.string().optional(),
      notifications: z.boolean().optional(),
      active_tone_pack_id: z.guid().nullable().meta({ description: "null if you have no active tone pack." }),
    }),
    drops_balance: z.int().meta({ description: "In drops." }),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
    role: z.enum(ENUMS.user_role),
    read_notes_enabled: z.boolean().meta({ description: READ_NOTES }),
    check_in_enabled: z.boolean().meta({ description: CHECK_IN }),
    timezone: z.string().meta({ description: "IANA time zone." }),
    leaderboard_visible: z.boolean().meta({ description: LEADERBOARD }),
    is_premium: z.boolean().meta({ description: "Whether you have an active subscription." }),
    suspended_until: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: "Until then your account is suspended; null if it is not." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Profile" });
/** A profile with what its etag is computed from. */
export type VersionedProfile = z.infer<typeof Profile> & { readonly version: string };

const Preferences = z
  .strictObject(
    {
      theme: text({ max: 50 }).nullish(),
      notifications: z.boolean().nullish(),
      active_tone_pack_id: Uuid.nullish().meta({
        description:
          "null deactivates the active tone pack. Besides, only the pack that is active is accepted; activate another one by its own endpoint.",
      }),
    },
    { error: ({ keys }) => (Array.isArray(keys) ? `has unknown settings: ${keys.join(", ")}` : undefined) },
  )
  .meta({ description: "Merged into the stored settings; null removes a setting. Unknown settings are refused." });

export const ProfileUpdate = atLeastOneField(
  z.object({
    full_name: text(LENGTHS.profiles.full_name).nullish(),
    avatar_url: WebLink.nullish(),
    preferences: Preferences.optional(),
    read_notes_enabled: z.boolean().optional().meta({ description: READ_NOTES }),
    check_in_enabled: z.boolean().optional().meta({ description: CHECK_IN }),
    timezone: TimeZone.optional(),
    leaderboard_visible: z.boolean().optional().meta({ description: LEADERBOARD }),
  }),
).meta({ id: "ProfileUpdate" });
export type ProfileUpdate = z.output<typeof ProfileUpdate>;

export const UsageQuery = z.object({
  month: CalendarMonth.optional().meta({ description: "UTC calendar month, YYYY-MM; the current one by default." }),
});

export const AccessLogResponse = z.object({
  reads: z.array(
    z
      .object({
        at: z.iso.datetime({ precision: 3 }).meta({ description: "The first time on a UTC day." }),
        by: Card.meta({ description: "The super admin; without a name if the account is gone." }),
        entry_id: z.guid().nullable().meta({ description: "null if it was a goal." }),
        goal_id: z.guid().nullable().meta({ description: "null if it was an entry." }),
      })
      .meta({ id: "EntryRead" }),
  ),
  next_cursor: NextCursor,
});
export const UsesResponse = z.object({
  uses: z.array(
    z
      .object({
        at: z.iso.datetime({ precision: 3 }),
        usage_type: z.enum(ENUMS.token_usage_type),
        model: z.string().meta({ description: "The name of the model." }),
        entry_id: z.guid().nullable().meta({
          description:
            "The entry that the model read; null if it read several (see the sources of an analysis), a text or an analysis, or if the entry was deleted.",
        }),
      })
      .meta({ id: "AiUse" }),
  ),
  next_cursor: NextCursor,
});
export const UsageResponse = z.object({ usage: TokenUsage });
export const ProfileResponse = z.object({ profile: Profile });
