import { CalendarDate } from "@nectar/core/calendar-date";
import { z } from "zod";

/** A date of the game. The days after it are dates as well, so the calendar's last week is not among them. */
export const GameDate = CalendarDate.refine(
  (date) => !/^9999-12-(2[5-9]|3)/.test(date),
  "must be a date such as 2026-11-21",
);

/** The path parameter of everything that belongs to a date. */
export const DateParam = z.object({ date: GameDate });

/** The two teams of the game. */
export const TeamColor = z.enum(["red", "blue"]).meta({ id: "TeamColor" });
export type TeamColor = z.infer<typeof TeamColor>;

/** What somebody does in their window. */
export const ActivityType = z.enum(["cardio", "strength", "walk", "meditation", "reading", "homework", "other"]);
export type ActivityType = z.infer<typeof ActivityType>;

/** What players see of one another. */
export const PlayerCard = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean(),
    window: z.object({
      start: z.string().meta({ description: "HH:MM in the window's time zone." }),
      end: z.string().meta({ description: "HH:MM in the window's time zone." }),
      timezone: z.string(),
    }),
    activity_type: ActivityType,
    custom_activity: z.string().nullable().meta({ description: "What the activity `other` is; null for any other." }),
  })
  .meta({ id: "PlayerCard" });
export type PlayerCard = z.infer<typeof PlayerCard>;
