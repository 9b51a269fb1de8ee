import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";
import { TeamColor } from "../schema.ts";

/** What became of a person's days of a week. */
const WeeklyStats = z
  .object({
    weekStartDate: z.iso.date().meta({ description: "The Monday of the week." }),
    teamColor: TeamColor.nullable(),
    daysPlanned: z
      .int()
      .meta({ description: "Dates on which you had a window: completed, failed and pending ones together." }),
    completedCount: z.int(),
    failedCount: z.int(),
    pendingCount: z.int().meta({ description: "Check-ins that wait for review, and days that had not ended." }),
    completionRate: z.number().meta({ description: "0 to 100 with one decimal." }),
    chipsEarned: z.int().meta({ description: "Chips of the week's check-ins, whichever battle they count for." }),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "WeeklyStats" });

export const WeeklyStatsQuery = z.object(pageFields());
export type WeeklyStatsQuery = z.output<typeof WeeklyStatsQuery>;

export const WeeklyStatsResponse = z.object({ weeks: z.array(WeeklyStats), nextCursor: NextCursor });
export type WeeklyStatsResponse = z.infer<typeof WeeklyStatsResponse>;
