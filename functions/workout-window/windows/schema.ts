import { isTwoHours } from "@nectar/core/game/time";
import { normalizeText, text } from "@nectar/core/text";
import { isIanaTimeZone } from "@nectar/core/time-zone";
import { atLeastOneField } from "@nectar/http/at-least-one-field";
import { z } from "zod";
import { ActivityType } from "../schema.ts";

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

const WindowTime = z.string().meta({ description: "HH:MM in the window's time zone." });

/** What a person does in their window, and when. */
const WindowSettings = z.object({
  activity_type: ActivityType,
  custom_activity: z.string().nullable().meta({ description: "What it is, of the activity other." }),
  window_start_time: WindowTime,
  window_end_time: WindowTime,
  timezone: z.string().meta({ description: "IANA time zone." }),
});
export type WindowSettings = z.infer<typeof WindowSettings>;

/** Dates on which a person does not play. */
const Absence = z.object({
  from: z.iso.date().meta({ description: "The first game date." }),
  until: z.iso
    .date()
    .nullable()
    .meta({ description: "The game date on which you play again; null until you come back." }),
});
export type Absence = z.infer<typeof Absence>;

/** A person's window. */
export const WorkoutWindow = WindowSettings.extend({
  id: z.guid(),
  user_id: z.guid(),
  is_active: z.boolean().meta({ description: "False after leaving the game; `away` says from which date on." }),
  away: z.array(Absence).meta({
    description: "When you do not play, oldest first; absences that ended more than two weeks ago are dropped.",
  }),
  effective_from: z.iso.date().meta({ description: "The first game date on which these values count." }),
  previous: WindowSettings.nullable().meta({
    description: "What counts on game dates before `effective_from`; null before the first change.",
  }),
  created_at: z.iso.datetime({ precision: 3 }),
  updated_at: z.iso.datetime({ precision: 3 }),
}).meta({ id: "WorkoutWindow" });
export type WorkoutWindow = z.infer<typeof WorkoutWindow>;

/** Where a person says that they are. */
export const UserLocation = z
  .object({
    user_id: z.guid(),
    ip_address: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    country: z.string().nullable().meta({ description: "Two letters." }),
    timezone: z.string().nullable(),
    last_updated: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "UserLocation" });
export type UserLocation = z.infer<typeof UserLocation>;

const Clock = z
  .string()
  .regex(CLOCK, "must be a time of 24 hours such as 06:30")
  .meta({ description: "HH:MM of 24 hours." });
/** For rules across fields: they hold beside other problems too, because all of them are reported at once. */
const CHECKED_DESPITE_OTHER_ISSUES = {
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

const TimeZone = z
  .string()
  .refine(isIanaTimeZone, "must be an IANA time zone such as Europe/Zurich")
  .meta({ description: "IANA time zone, no abbreviation such as EST." });

const CustomActivity = text({ max: 100 });

/** The body that sets one's window. */
export const WindowSetup = z
  .object({
    activityType: ActivityType,
    customActivity: z
      .string()
      .overwrite(normalizeText)
      .nullish()
      .meta({ description: "Of the activity other 1 to 100 characters; of any other it is dropped." }),
    windowStartTime: Clock,
    windowEndTime: Clock.meta({
      description: "HH:MM of 24 hours: two hours after the start, past midnight if need be.",
    }),
    timezone: TimeZone,
  })
  .superRefine(({ activityType, customActivity, windowStartTime, windowEndTime }, context) => {
    // A custom activity that is no text has been complained of already.
    if (activityType === "other" && (customActivity == null || typeof customActivity === "string")) {
      const { error } = CustomActivity.safeParse(customActivity ?? "");
      for (const { message } of error?.issues ?? []) {
        context.addIssue({ code: "custom", path: ["customActivity"], message });
      }
    }
    if (isClock(windowStartTime) && isClock(windowEndTime) && !isTwoHours(windowStartTime, windowEndTime)) {
      const message = "must be exactly two hours after windowStartTime";
      context.addIssue({ code: "custom", path: ["windowEndTime"], message });
    }
  }, CHECKED_DESPITE_OTHER_ISSUES)
  .meta({
    id: "WorkoutWindowSetup",
    examples: [{ activityType: "cardio", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "Europe/Zurich" }],
  });
export type WindowSetup = z.output<typeof WindowSetup>;

/** The body that says where one is. */
export const LocationUpdate = atLeastOneField(
  z.object({
    ipAddress: z
      .union([z.ipv4(), z.ipv6()], "must be an IPv4 or IPv6 address")
      .nullish()
      .meta({ description: "Kept as it is told; nothing is looked up by it." }),
    latitude: z
      .number()
      .min(-90, "must be at least -90")
      .max(90, "must be at most 90")
      .nullish()
      .meta({ description: "In degrees; with the longitude or not at all." }),
    longitude: z
      .number()
      .min(-180, "must be at least -180")
      .max(180, "must be at most 180")
      .nullish()
      .meta({ description: "In degrees; with the latitude or not at all." }),
    city: text({ max: 100 }).nullish(),
    region: text({ max: 100 }).nullish(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters such as CH")
      .toUpperCase()
      .nullish(),
    timezone: TimeZone.nullish(),
  }),
).meta({ id: "UserLocationUpdate", examples: [{ city: "Zurich" }] });
export type LocationUpdate = z.output<typeof LocationUpdate>;

/** The body that leaves the game or comes back. */
export const WindowActivity = z.object({ isActive: z.boolean() }).meta({
  id: "WorkoutWindowActivity",
  examples: [{ isActive: false }],
});

export const WindowResponse = z.object({ window: WorkoutWindow });
export const WindowSetResponse = z.object({ window: WorkoutWindow, message: z.string() });
export const MyWindowResponse = z.object({ window: WorkoutWindow.nullable(), location: UserLocation.nullable() });
export const LocationSetResponse = z.object({ location: UserLocation, message: z.string() });

function isClock(value: unknown): value is string {
  return typeof value === "string" && CLOCK.test(value);
}
