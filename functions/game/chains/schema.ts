import * as z from "zod";
import { WorkoutCheckIn } from "../check-ins/schema.ts";
import { PlayerCard, TeamColor } from "../schema.ts";

const MAY_HAVE_LEFT = { description: "null if this member has left the squad." };

export const Squad = z
  .object({
    user1: PlayerCard.nullable().meta(MAY_HAVE_LEFT),
    user2: PlayerCard.nullable().meta(MAY_HAVE_LEFT),
    user3: PlayerCard.nullable().meta(MAY_HAVE_LEFT),
    teamColor: TeamColor,
  })
  .meta({ id: "Squad" });
export type Squad = z.infer<typeof Squad>;

export const SquadResponse = z.object({
  squad: Squad,
  checkins: z.array(WorkoutCheckIn).meta({ description: "Check-ins of the squad on this date." }),
});

/** A person's position in the chain of a date. */
export const Chain = z
  .object({
    beforeUser: PlayerCard.nullable().meta({ description: "The player before you; null if you are first." }),
    currentUser: PlayerCard.meta({ description: "You." }),
    afterUser: PlayerCard.nullable().meta({ description: "The player after you; null if you are last." }),
    teamColor: TeamColor,
    squad: Squad.nullable().meta({ description: "null if you have no squad on this date." }),
  })
  .meta({ id: "Chain" });
export type Chain = z.infer<typeof Chain>;

export const ChainResponse = z.object({
  chain: Chain,
  checkins: z.array(WorkoutCheckIn).meta({ description: "Your check-in and those of your neighbors, on this date." }),
});

const TeamStats = z
  .object({
    totalMembers: z.int(),
    completed: z.int().meta({ description: "Members with a verified check-in." }),
    failed: z.int().meta({
      description: "Members whose check-in was rejected, or who did not check in before their window and grace ended.",
    }),
    pending: z.int().meta({ description: "All other members, also those whose window has not opened yet." }),
    completionRate: z
      .number()
      .meta({ description: "Percentage of completed members, 0 to 100 with one decimal; 0 without members." }),
    totalChips: z.int().meta({ description: "Chips of verified check-ins on this date." }),
  })
  .meta({ id: "TeamStats" });
export type TeamStats = z.infer<typeof TeamStats>;

export const TeamStatsResponse = z.object({ redTeam: TeamStats, blueTeam: TeamStats });
export type TeamStatsResponse = z.infer<typeof TeamStatsResponse>;
