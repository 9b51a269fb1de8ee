import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { CalendarDate } from "#core/time/calendar-date";

/** A game date. The last week of the calendar is excluded, so that the days after a game date are dates as well. */
export const GameDate = CalendarDate.refine(
  (date) => !/^9999-12-(2[5-9]|3)/.test(date),
  "must be a date such as 2026-11-21",
);

/** The path parameter of everything that belongs to a date. */
export const DateParam = z.object({
  date: GameDate.meta({ description: "A game date: the local date on which a window starts." }),
});

export const TeamColor = z.enum(ENUMS.team_color).meta({ id: "TeamColor" });
export type TeamColor = z.infer<typeof TeamColor>;

export const ActivityType = z.enum(ENUMS.activity_type);
export type ActivityType = z.infer<typeof ActivityType>;

export const PlayerCard = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
    window: z.object({
      start: z.string().meta({ description: "HH:MM in the window's time zone." }),
      end: z.string().meta({ description: "HH:MM in the window's time zone." }),
      timezone: z.string().meta({ description: "IANA time zone." }),
    }),
    activity_type: ActivityType,
    custom_activity: z
      .string()
      .nullable()
      .meta({ description: "The name of the activity if activity_type is `other`, else null." }),
  })
  .meta({ id: "PlayerCard" });
export type PlayerCard = z.infer<typeof PlayerCard>;
