import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { GameDate } from "../schema.ts";

export const Streak = z
  .object({
    current: z
      .int()
      .meta({ description: "Completed days since the streak began. Days off do not count and do not end it." }),
    longest: z.int(),
    since: z.iso
      .date()
      .nullable()
      .meta({ description: "The first completed day of the current streak; null if there is none." }),
    freezesHeld: z
      .int()
      .min(0)
      .max(2)
      .meta({ description: "A failed day takes one instead of ending the streak. You begin with one." }),
    nextFreezeIn: z
      .int()
      .min(1)
      .max(7)
      .nullable()
      .meta({ description: "Completed days until you get another one; null while you hold two." }),
    atRisk: z.boolean().meta({ description: "true if you can still check in today and hold no freeze." }),
  })
  .meta({ id: "WorkoutStreak" });
export type Streak = z.infer<typeof Streak>;

export const StreakResponse = z.object({ streak: Streak });

/** Dates of a calendar. */
export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;

export const CalendarQuery = z.object({
  from: GameDate.optional().meta({ description: `The first date; by default ${DEFAULT_DAYS - 1} days before \`to\`.` }),
  to: GameDate.optional().meta({
    description: `The last date, at most ${MAX_DAYS - 1} days after \`from\`; by default today.`,
  }),
});
export type CalendarQuery = z.output<typeof CalendarQuery>;

export const CalendarResponse = z.object({
  days: z
    .array(
      z
        .object({
          date: z.iso.date(),
          state: z.enum([...ENUMS.day_state, "frozen", "off", "none"]).meta({
            description:
              "frozen: failed, but a freeze kept the streak. off: you were away or rested. none: you were not matched, or the date is to come.",
          }),
          chips: z.int().meta({ description: "0 unless completed." }),
          checkinId: z.guid().nullable(),
        })
        .meta({ id: "WorkoutCalendarDay" }),
    )
    .max(366)
    .meta({ description: "Every date of the range, ascending." }),
});
export type Calendar = z.infer<typeof CalendarResponse>;
