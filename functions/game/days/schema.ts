import * as z from "zod";
import { NextCursor } from "#http/response/paging";
import { TeamColor } from "../schema.ts";

const WeeklyStats = z
  .object({
    weekStartDate: z.iso.date().meta({ description: "The Monday of the week." }),
    teamColor: TeamColor.nullable().meta({ description: "null if you were in no team." }),
    daysPlanned: z.int().meta({
      description: "Dates on which you had a window; the sum of completedCount, failedCount and pendingCount.",
    }),
    completedCount: z.int().meta({ description: "Dates with a verified check-in." }),
    failedCount: z.int().meta({ description: "Dates with a rejected check-in, or without one." }),
    pendingCount: z.int().meta({
      description: "Dates whose check-in waits for review, and dates that had not ended when the week was counted.",
    }),
    completionRate: z.number().meta({ description: "Percentage of completed dates, 0 to 100 with one decimal." }),
    chipsEarned: z
      .int()
      .meta({ description: "Chips of the check-ins of this week, even if they count for the battle of a later one." }),
    updatedAt: z.iso.datetime().meta({ description: "When the week was last counted." }),
  })
  .meta({ id: "WeeklyStats" });

export const WeeklyStatsResponse = z.object({ weeks: z.array(WeeklyStats), nextCursor: NextCursor });
export type WeeklyStatsResponse = z.infer<typeof WeeklyStatsResponse>;
