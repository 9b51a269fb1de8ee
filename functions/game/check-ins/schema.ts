import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { DEFAULT_GRACE_MINUTES, EARLY_MINUTES } from "#core/game/time";
import { LENGTHS } from "#core/lengths.generated";
import { EARLY_CHIPS, MAX_PHOTO_BYTES, PHOTO_URL_SECONDS, STREAK_CHIPS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { UPLOAD_TYPES } from "#http/request/sent-photo";
import { NextCursor, pageFields } from "#http/response/paging";
import { ActivityType, GameDate, TeamColor } from "../schema.ts";

export const CheckInId = Uuid.meta({ description: "The id of the check-in." });

/** The shortest reason for a rejection, in characters. */
export const MIN_REJECTION_REASON = 10;

const Status = z.enum(ENUMS.checkin_status);

const Flags = z.array(z.enum(ENUMS.photo_flag));

const ChainStatus = z.enum(ENUMS.chain_status);

/** An admin's decision about a check-in, as its owner sees it. */
const CheckInReviewed = z
  .object({
    status: z.enum(["verified", "rejected"]),
    reason: z.string().nullable().meta({ description: "null if the admin gave none." }),
    decided_at: z.iso.datetime(),
  })
  .meta({ id: "CheckInReviewed" });

/** How long before and after its window a photo may be taken, as the reference says it. */
export const GRACE = `${DEFAULT_GRACE_MINUTES} minutes, unless the operator has set another time`;

/** The chips of a check-in, part by part. */
const Breakdown = z
  .object({
    base: z.number().meta({ description: "1 for the check-in." }),
    chain: z.number().meta({ description: "1 if the chain continues." }),
    early: z.number().meta({
      description: `${EARLY_CHIPS} if the photo was taken in the first ${EARLY_MINUTES} minutes of the window, or in the grace before it (${GRACE}).`,
    }),
    streak: z.number().meta({ description: `${STREAK_CHIPS} from the seventh verified game date in a row.` }),
    raw: z.number().meta({ description: "The sum of the four parts." }),
    earned: z.int().meta({ description: "raw, rounded down." }),
  })
  .meta({ id: "ChipBreakdown" });

const LOCATION = "In degrees; null if it was not sent, or if you are neither the player nor an admin.";

/** A check-in as clients see it. */
export const WorkoutCheckIn = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    chain_id: z.guid().nullable().meta({ description: "null if the player is in no chain on this date." }),
    date: GameDate,
    activity_type: ActivityType,
    custom_activity: z.string().nullable().meta({
      description: "The name of the activity if activity_type is `other` and the window names it, else null.",
    }),
    photo_url: z
      .string()
      .nullable()
      .meta({
        description: `A link that works for ${inWords(PHOTO_URL_SECONDS)}; null if there is no photo or you may not see it.`,
      }),
    photo_timestamp: z.iso.datetime().nullable().meta({
      description: "When the photo was taken; null if it does not say so.",
    }),
    location_lat: z.number().nullable().meta({ description: LOCATION }),
    location_lng: z.number().nullable().meta({ description: LOCATION }),
    status: Status,
    battle_chips_earned: z.int().meta({
      description: "Counts if the status is verified. If it is pending: what it would earn. If it is rejected: 0.",
    }),
    chip_breakdown: Breakdown,
    chain_status: ChainStatus.meta({
      description:
        "broken if the player before this one failed on this date, else continued. It may change with that player's result until the battle of these chips has ended.",
    }),
    team_color: TeamColor.nullable().meta({ description: "null if the player is in no team on this date." }),
    battle_week_start: z.iso.date().meta({ description: "The Monday of the battle that the chips count for." }),
    flags: Flags.nullable().meta({
      description: "Why an admin should look at it; null if you are neither the player nor an admin.",
    }),
    review: CheckInReviewed.nullable().meta({
      description:
        "The last decision of an admin; null if there is none, or if you are neither the player nor an admin.",
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "WorkoutCheckIn" });
export type WorkoutCheckIn = z.infer<typeof WorkoutCheckIn>;

/** A coordinate in a form, in degrees. @param max 90 for latitudes, 180 for longitudes */
const degrees = (max: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,20})?$/, "must be a number")
    .transform(Number)
    .refine((value) => Math.abs(value) <= max, `must be between -${max} and ${max}`)
    .optional()
    .meta({ type: "number", minimum: -max, maximum: max });

export const CheckInFields = z
  .object({
    photoKey: z.string().min(1).max(200).optional(),
    activityType: ActivityType,
    latitude: degrees(90),
    longitude: degrees(180),
  })
  .superRefine(({ latitude, longitude }, context) => {
    if ((latitude === undefined) === (longitude === undefined)) return;
    const missing = latitude === undefined ? "latitude" : "longitude";
    context.addIssue({ code: "custom", path: [missing], message: "must be given with the other coordinate" });
  });
export type CheckInFields = z.infer<typeof CheckInFields>;

export const NewCheckInResponse = z
  .object({
    checkin: WorkoutCheckIn,
    battleChipsEarned: z.int().meta({ description: "Chips of this check-in; 0 while it is pending." }),
    chainStatus: ChainStatus.meta({
      description: "The status at this moment. chain_status of the check-in may change later.",
    }),
    nextUserNotified: z.boolean().meta({ description: "Whether the player after you was notified." }),
  })
  .meta({ id: "NewCheckInResponse" });

export const UploadRequest = z
  .object({
    contentType: z.enum(UPLOAD_TYPES),
    size: z
      .int32()
      .min(1)
      .meta({ description: `In bytes, at most ${MAX_PHOTO_BYTES}.` }),
  })
  .meta({ id: "UploadRequest" });

export const UploadResponse = z
  .object({
    uploadUrl: z.string().meta({ description: "Send the photo here with PUT." }),
    photoKey: z.string().meta({ description: "Send it with the check-in instead of the photo." }),
    expiresAt: z.iso.datetime().meta({ description: "uploadUrl works until then." }),
  })
  .meta({ id: "UploadResponse" });

export const CheckInResponse = z
  .object({
    checkin: WorkoutCheckIn.nullable().meta({ description: "null if you have not checked in." }),
    status: z.enum(ENUMS.day_state).meta({
      description:
        "With a check-in: completed if it is verified, failed if it is rejected, pending while it waits for review. Without one: not_started before the window, pending during window and grace, failed afterwards.",
    }),
  })
  .meta({ id: "CheckInOfDate" });

/** The query of the list of a date's check-ins. A check-in takes about 600 bytes, and a response may have 6 MB. */
export const CheckInsQuery = z.object(pageFields({ default: 1_000, max: 2_000 }));
export type CheckInsQuery = z.infer<typeof CheckInsQuery>;

export const CheckInsResponse = z
  .object({
    checkins: z.array(WorkoutCheckIn),
    stats: z
      .object({ total: z.int(), completed: z.int(), failed: z.int() })
      .meta({ description: "Counts over all players of the date, with or without a check-in, on whatever page." }),
    nextCursor: NextCursor,
  })
  .meta({ id: "CheckInsOfDate" });

/** A check-in as admins see it. */
const AdminCheckIn = WorkoutCheckIn.extend({
  user: z.object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
  }),
  flags: Flags.meta({ description: "Why an admin should look at it; empty if there is no reason." }),
  age_hours: z.int().meta({ description: "Whole hours since the check-in was made." }),
  reviewed_at: z.iso.datetime().nullable().meta({ description: "null if it was not reviewed." }),
  reviewed_by: z.guid().nullable().meta({ description: "The admin; null if not reviewed, or if the account is gone." }),
  review_reason: z.string().nullable().meta({ description: "null if not reviewed, or if no reason was given." }),
}).meta({ id: "AdminCheckIn" });

export const ReviewQuery = z.object({
  status: Status.optional().meta({ description: "Only check-ins with this status; `pending` ones wait for review." }),
  ...pageFields({ default: 50, max: 500 }),
});
export type ReviewQuery = z.infer<typeof ReviewQuery>;

export const ReviewListResponse = z
  .object({ checkins: z.array(AdminCheckIn), nextCursor: NextCursor })
  .meta({ id: "CheckInsToReview" });

export const Review = z
  .object({
    status: z.enum(["rejected", "verified"]),
    reason: text({ ...LENGTHS.workout_checkins.review_reason, min: 0 })
      .nullish()
      .transform((reason) => reason || null)
      .meta({
        description: `Required to reject, with at least ${MIN_REJECTION_REASON} characters; optional to verify.`,
      }),
  })
  .superRefine(({ status, reason }, context) => {
    if (status === "rejected" && [...(reason ?? "")].length < MIN_REJECTION_REASON) {
      context.addIssue({
        code: "custom",
        path: ["reason"],
        message: `must have at least ${MIN_REJECTION_REASON} characters to reject`,
      });
    }
  })
  .meta({ id: "CheckInReview" });
export type Review = z.infer<typeof Review>;

export const ReviewResponse = z.object({ checkin: AdminCheckIn }).meta({ id: "ReviewedCheckIn" });
