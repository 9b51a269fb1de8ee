import { text } from "@nectar/core/text";
import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";
import { ActivityType, GameDate, TeamColor } from "../schema.ts";

/** The largest photo, in bytes. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** The shortest reason for a rejection, in characters. */
const MIN_REJECTION_REASON = 10;

const Status = z.enum(["pending", "verified", "rejected"]);

/** Why an admin should look at a check-in. */
const Flags = z.array(z.enum(["seen_before", "edited", "screenshot", "late_upload", "far_away", "no_photo_time"]));

/** Whether the chain goes on with a check-in. */
const ChainStatus = z.enum(["continued", "broken"]);

/** An admin's decision about a check-in, as its owner sees it. */
const CheckInReviewed = z
  .object({ status: z.enum(["verified", "rejected"]), reason: z.string().nullable(), decided_at: z.iso.datetime() })
  .meta({ id: "CheckInReviewed" });

/** What a check-in earned, part by part. */
const Breakdown = z
  .object({
    base: z.number(),
    chain: z.number(),
    early: z.number(),
    streak: z.number(),
    raw: z.number(),
    earned: z.int(),
  })
  .meta({ id: "ChipBreakdown" });

/** A check-in as it is sent. */
export const WorkoutCheckIn = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    chain_id: z.guid().nullable(),
    date: GameDate,
    activity_type: ActivityType,
    custom_activity: z
      .string()
      .nullable()
      .meta({ description: "What the activity `other` is, if it is that of the window; null for any other." }),
    photo_url: z.string().nullable().meta({
      description: "For 15 minutes; null without a photo, and for whom it is not theirs to see.",
    }),
    photo_timestamp: z.iso.datetime().nullable(),
    location_lat: z.number().nullable().meta({ description: "For oneself and admins; null for everybody else." }),
    location_lng: z.number().nullable(),
    status: Status,
    battle_chips_earned: z
      .int()
      .meta({ description: "Counts while the status is verified; what it would earn while pending, 0 when rejected." }),
    chip_breakdown: Breakdown,
    chain_status: ChainStatus.meta({
      description: "Follows the final result of the previous person until a battle has ended with these chips.",
    }),
    team_color: TeamColor.nullable(),
    battle_week_start: z.iso.date().meta({ description: "The Monday of the battle that the chips count for." }),
    flags: Flags.nullable().meta({
      description: "Why an admin should look at it, for you and admins; null for others.",
    }),
    review: CheckInReviewed.nullable().meta({
      description: "The last decision of an admin, for you and admins; null without one and for others.",
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "WorkoutCheckIn" });
export type WorkoutCheckIn = z.infer<typeof WorkoutCheckIn>;

/** A number in a form. */
const degrees = (max: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,20})?$/, "must be a number")
    .transform(Number)
    .refine((value) => Math.abs(value) <= max, `must be between -${max} and ${max}`)
    .optional()
    .meta({ type: "number", minimum: -max, maximum: max });

/** The text fields of the form. */
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
    context.addIssue({ code: "custom", path: [missing], message: "comes with the other coordinate or not at all" });
  });
export type CheckInFields = z.infer<typeof CheckInFields>;

/** The answer to a check-in. */
export const NewCheckInResponse = z
  .object({
    checkin: WorkoutCheckIn,
    battleChipsEarned: z.int().meta({ description: "0 until a pending check-in is verified." }),
    chainStatus: ChainStatus.meta({
      description:
        "The status at this moment. chain_status of the record changes if the result of the previous person does.",
    }),
    nextUserNotified: z.boolean(),
  })
  .meta({ id: "NewCheckInResponse" });

/** What is going to be uploaded. */
export const UploadRequest = z
  .object({
    contentType: z.enum(["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"]),
    size: z
      .int()
      .min(1)
      .meta({ description: `Bytes; at max ${MAX_PHOTO_BYTES}.` }),
  })
  .meta({ id: "UploadRequest" });
export type UploadRequest = z.infer<typeof UploadRequest>;

/** Where to upload it. */
export const UploadResponse = z
  .object({ uploadUrl: z.string(), photoKey: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: "UploadResponse" });

/** One's own check-in of a date. */
export const CheckInResponse = z
  .object({
    checkin: WorkoutCheckIn.nullable(),
    status: z.enum(["pending", "completed", "failed", "not_started"]),
  })
  .meta({ id: "CheckInOfDate" });

/** Which check-ins of a date; a record is some 600 bytes, and an answer can have 6 MB. */
export const CheckInsQuery = z.object(pageFields({ default: 1_000, max: 2_000 }));
export type CheckInsQuery = z.infer<typeof CheckInsQuery>;

/** Everybody's check-ins of a date. */
export const CheckInsResponse = z
  .object({
    checkins: z.array(WorkoutCheckIn),
    stats: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
    nextCursor: NextCursor,
  })
  .meta({ id: "CheckInsOfDate" });

/** A check-in as admins see it. */
export const AdminCheckIn = WorkoutCheckIn.extend({
  user: z.object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean(),
  }),
  flags: Flags,
  reviewed_at: z.iso.datetime().nullable(),
  reviewed_by: z.guid().nullable(),
  review_reason: z.string().nullable(),
}).meta({ id: "AdminCheckIn" });

export const ReviewQuery = z.object({ status: Status.optional(), ...pageFields({ default: 50, max: 500 }) });
export type ReviewQuery = z.infer<typeof ReviewQuery>;

export const ReviewListResponse = z
  .object({ checkins: z.array(AdminCheckIn), nextCursor: NextCursor })
  .meta({ id: "CheckInsToReview" });

/** An admin's decision. */
export const Review = z
  .object({
    status: z.enum(["rejected", "verified"]),
    reason: text({ min: 0, max: 1_000 })
      .nullish()
      .transform((reason) => reason || null)
      .meta({ description: `At least ${MIN_REJECTION_REASON} characters to reject; optional to verify.` }),
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
