import * as z from "zod";
import { isTwoHours, WINDOW_MINUTES } from "#core/game/time";
import { LENGTHS } from "#core/lengths.generated";
import { inWords } from "#core/text/numbers";
import { normalizeText, text } from "#core/text/text";
import { CalendarDate } from "#core/time/calendar-date";
import { ClockTime, isClockTime } from "#core/time/clock-time";
import { TimeZone } from "#core/time/time-zone";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { ActivityType } from "../schema.ts";

const WindowTime = z.string().meta({ description: "HH:MM in the window's time zone." });

export const WindowSettings = z.object({
  activity_type: ActivityType,
  custom_activity: z
    .string()
    .nullable()
    .meta({ description: "The name of the activity if activity_type is `other`, else null." }),
  window_start_time: WindowTime,
  window_end_time: WindowTime,
  timezone: z.string().meta({ description: "IANA time zone." }),
});
export type WindowSettings = z.infer<typeof WindowSettings>;

/** Dates on which a person does not play. */
const Absence = z.object({
  from: z.iso.date().meta({ description: "The first game date on which you do not play." }),
  until: z.iso
    .date()
    .nullable()
    .meta({ description: "The game date on which you play again; null until you come back." }),
});
export type Absence = z.infer<typeof Absence>;

/** ISO weekdays, ascending. */
const Weekdays = z.array(z.int().min(1).max(7));

/** From which game date on a person rests on which weekdays. */
export const RestRule = z.object({ from: z.iso.date(), weekdays: Weekdays });
export type RestRule = z.infer<typeof RestRule>;

export const WorkoutWindow = WindowSettings.extend({
  id: z.guid(),
  user_id: z.guid(),
  is_active: z.boolean().meta({
    description: "false while an absence without an end has begun: no window opens before you come back.",
  }),
  away: z.array(Absence).meta({
    description: "When you do not play, oldest first, also planned and past absences.",
  }),
  rest_days: z
    .object({
      weekdays: Weekdays.meta({ description: "1 is Monday, 7 is Sunday." }),
      effective_from: z.iso
        .date()
        .nullable()
        .meta({ description: "The first game date on which they count; null if you never set any." }),
      previous_weekdays: Weekdays.meta({ description: "Your rest days before that date." }),
    })
    .meta({ description: "The weekdays on which you do not play." }),
  effective_from: z.iso.date().meta({ description: "The first game date on which these values count." }),
  previous: WindowSettings.nullable().meta({
    description: "The values that count on game dates before `effective_from`; null if you never changed your window.",
  }),
  created_at: z.iso.datetime({ precision: 3 }),
  updated_at: z.iso.datetime({ precision: 3 }),
}).meta({ id: "WorkoutWindow" });
export type WorkoutWindow = z.infer<typeof WorkoutWindow>;

/** A window of any time: whether the person has left depends on the time. */
export interface StoredWindow extends Omit<WorkoutWindow, "is_active" | "rest_days"> {
  /** Oldest first. */
  readonly rest_rules: readonly RestRule[];
  /** The last date on which the person is matched and the matched window has opened; null for none. */
  readonly last_opened: string | null;
}

/** A location as a person states it; nothing checks it. */
export const UserLocation = z
  .object({
    user_id: z.guid(),
    ip_address: z.string().nullable().meta({ description: "As you sent it; null if you did not." }),
    latitude: z.number().nullable().meta({ description: "In degrees; null if you did not send it." }),
    longitude: z.number().nullable().meta({ description: "In degrees; null if you did not send it." }),
    city: z.string().nullable(),
    region: z.string().nullable(),
    country: z.string().nullable().meta({ description: "Country code of two upper-case letters." }),
    timezone: z.string().nullable().meta({ description: "IANA time zone." }),
    last_updated: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "UserLocation" });
export type UserLocation = z.infer<typeof UserLocation>;

/** Rules across fields are checked beside other problems too, because all of them are reported at once. */
const CHECKED_DESPITE_OTHER_ISSUES = {
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

const { custom_activity: CUSTOM_ACTIVITY } = LENGTHS.workout_windows;
const CustomActivity = text(CUSTOM_ACTIVITY);

export const WindowSetup = z
  .object({
    activityType: ActivityType,
    customActivity: z
      .string()
      .overwrite(normalizeText)
      .nullish()
      .meta({
        description: `The name of the activity, ${CUSTOM_ACTIVITY.min} to ${CUSTOM_ACTIVITY.max} characters. Required if activityType is \`other\`; ignored otherwise.`,
      }),
    windowStartTime: ClockTime,
    windowEndTime: ClockTime.meta({
      description: `24-hour time, HH:MM. Must be exactly ${inWords(WINDOW_MINUTES * 60)} after windowStartTime; it may be past midnight.`,
    }),
    timezone: TimeZone,
  })
  .superRefine(({ activityType, customActivity, windowStartTime, windowEndTime }, context) => {
    // If the custom activity is not a string, an issue was already added.
    if (activityType === "other" && (customActivity == null || typeof customActivity === "string")) {
      const { error } = CustomActivity.safeParse(customActivity ?? "");
      for (const { message } of error?.issues ?? []) {
        context.addIssue({ code: "custom", path: ["customActivity"], message });
      }
    }
    if (isClockTime(windowStartTime) && isClockTime(windowEndTime) && !isTwoHours(windowStartTime, windowEndTime)) {
      const message = `must be exactly ${inWords(WINDOW_MINUTES * 60)} after windowStartTime`;
      context.addIssue({ code: "custom", path: ["windowEndTime"], message });
    }
  }, CHECKED_DESPITE_OTHER_ISSUES)
  .meta({
    id: "WorkoutWindowSetup",
    examples: [{ activityType: "cardio", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "Europe/Zurich" }],
  });
export type WindowSetup = z.output<typeof WindowSetup>;

const NO_ADDRESS = "must be an IPv4 or IPv6 address";
const IpAddress = z.union([z.ipv4(), z.ipv6()]);

export const LocationUpdate = atLeastOneField(
  z.object({
    ipAddress: z
      .string(NO_ADDRESS)
      .refine((address) => IpAddress.safeParse(address).success, NO_ADDRESS)
      .nullish()
      .meta({ description: "An IPv4 or IPv6 address. Stored as you send it. It is not used to look up a location." }),
    latitude: z
      .number()
      .min(-90, "must be at least -90")
      .max(90, "must be at most 90")
      .nullish()
      .meta({ description: "In degrees. Latitude and longitude must be set together." }),
    longitude: z
      .number()
      .min(-180, "must be at least -180")
      .max(180, "must be at most 180")
      .nullish()
      .meta({ description: "In degrees. Latitude and longitude must be set together." }),
    city: text(LENGTHS.user_locations.city).nullish(),
    region: text(LENGTHS.user_locations.region).nullish(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters such as CH")
      .toUpperCase()
      .nullish()
      .meta({ description: "Country code of two letters (ISO 3166-1)." }),
    timezone: TimeZone.nullish(),
  }),
).meta({ id: "UserLocationUpdate", examples: [{ city: "Zurich" }] });
export type LocationUpdate = z.output<typeof LocationUpdate>;

/** How far ahead an absence can begin, and how long one with an end can be, in days. */
export const MAX_ABSENCE_DAYS = 90;

/** The body that leaves the game or comes back. */
export const WindowActivity = z
  .object({
    isActive: z.boolean().meta({
      description: "false leaves the game. true ends every absence from the next date whose window has not opened.",
    }),
    from: CalendarDate.nullish().meta({
      description: `The first game date on which you do not play, at most ${MAX_ABSENCE_DAYS} days after the next date whose window has not opened, which is the default. Only to leave.`,
    }),
    until: CalendarDate.nullish().meta({
      description: `The game date on which you play again, at most ${MAX_ABSENCE_DAYS} days after \`from\`; by default you stay away until you come back. Only to leave.`,
    }),
  })
  .superRefine(({ isActive, from, until }, context) => {
    for (const [path, date] of Object.entries({ from, until })) {
      if (isActive === true && date != null) {
        context.addIssue({ code: "custom", path: [path], message: "is only for leaving the game" });
      }
    }
  }, CHECKED_DESPITE_OTHER_ISSUES)
  .meta({
    id: "WorkoutWindowActivity",
    examples: [{ isActive: false }],
  });
export type WindowActivity = z.output<typeof WindowActivity>;

/** The body that chooses weekdays to rest on. */
export const RestDays = z
  .object({
    weekdays: z
      .array(z.int("must be a weekday from 1 to 7").min(1, "must be at least 1").max(7, "must be at most 7"))
      .max(2, "must be at most two weekdays")
      .refine((days) => new Set(days).size === days.length, "must be different weekdays")
      .overwrite((days) => days.toSorted())
      .meta({ description: "Up to two different weekdays: 1 is Monday, 7 is Sunday." }),
  })
  .meta({ id: "WorkoutRestDays", examples: [{ weekdays: [7] }] });

export const WindowResponse = z.object({ window: WorkoutWindow });
export const WindowSetResponse = z.object({ window: WorkoutWindow, message: z.string() });
export const MyWindowResponse = z.object({
  window: WorkoutWindow.nullable().meta({ description: "null if you never set one." }),
  location: UserLocation.nullable().meta({ description: "null if you never set one." }),
});
export const LocationSetResponse = z.object({ location: UserLocation, message: z.string() });
