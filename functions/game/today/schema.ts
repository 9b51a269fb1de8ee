import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { MAX_COUNTED_NOTIFICATIONS, MAX_STATS_DAYS } from "#core/limits";
import { grouped } from "#core/text/numbers";
import { Streak } from "../calendar/schema.ts";
import { ActivityType } from "../schema.ts";

/** The most goals of a start screen. */
export const MAX_GOALS = 50;

const Timestamp = z.iso.datetime({ precision: 3 });
const Count = z.int().min(0);

const Window = z
  .object({
    date: z.iso.date().meta({ description: "The game date." }),
    starts_at: Timestamp,
    ends_at: Timestamp,
    activity_type: ActivityType,
    status: z.enum(ENUMS.day_state).meta({ description: "As in GET /api/workout-window/checkin/{date}." }),
  })
  .meta({ id: "TodayWindow" });

const Goal = z
  .object({
    id: z.guid(),
    title: z.string(),
    streak: z.object({ current: Count, longest: Count }).meta({ description: "As in GET /api/goals/{id}." }),
    checked_in: z.boolean().meta({ description: "Whether a check-in of today is `completed`." }),
  })
  .meta({ id: "TodayGoal" });

const Journal = z
  .object({
    entries_today: Count.meta({ description: "Your entries that are about today." }),
    current_streak: Count.meta({
      description: `As in GET /api/journal/stats, over the ${MAX_STATS_DAYS} days that end today.`,
    }),
    on_this_day: Count.meta({ description: "How many entries GET /api/journal/on-this-day lists." }),
  })
  .meta({ id: "TodayJournal" });

const Drops = z
  .object({
    balance: z.int().meta({ description: "As in GET /api/drops/balance." }),
    total_available: Count.meta({ description: "As in GET /api/encouragement-drops/my-drops." }),
    unread: Count.meta({ description: "Drops that you received and have not read." }),
  })
  .meta({ id: "TodayDrops" });

const Notifications = z
  .object({
    unread: Count.meta({ description: `Counted up to ${grouped(MAX_COUNTED_NOTIFICATIONS)}.` }),
  })
  .meta({ id: "TodayNotifications" });

export const Today = z
  .object({
    date: z.iso.date().meta({ description: "Today in your time zone." }),
    timezone: z.string().meta({ description: "The time zone of your profile. Your window has its own." }),
    window: Window.nullable().meta({
      description: "The window that is open, or the next one that you play. null without a window or after leaving.",
    }),
    streak: Streak.nullable().meta({ description: "Your streak in the game; null without a window." }),
    goals: z
      .array(Goal)
      .max(MAX_GOALS)
      .nullable()
      .meta({ description: "Your active goals with weekdays that are due today, oldest first." }),
    journal: Journal.nullable(),
    drops: Drops.nullable(),
    notifications: Notifications.nullable(),
  })
  .meta({ id: "Today" });
export type Today = z.infer<typeof Today>;

export const TodayResponse = z.object({ today: Today });
