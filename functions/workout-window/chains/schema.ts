import { z } from "zod";
import { WorkoutCheckIn } from "../check-ins/schema.ts";
import { PlayerCard, TeamColor } from "../schema.ts";

const GONE = { description: "Null for a person who has left." };

/** A squad of a date. */
export const Squad = z
  .object({
    user1: PlayerCard.nullable().meta(GONE),
    user2: PlayerCard.nullable().meta(GONE),
    user3: PlayerCard.nullable().meta(GONE),
    teamColor: TeamColor,
  })
  .meta({ id: "Squad" });
export type Squad = z.infer<typeof Squad>;

export const SquadResponse = z.object({
  squad: Squad,
  checkins: z.array(WorkoutCheckIn).meta({ description: "Those of the squad." }),
});

/** A person's position in the chain of a date. */
export const Chain = z
  .object({
    beforeUser: PlayerCard.nullable(),
    currentUser: PlayerCard,
    afterUser: PlayerCard.nullable(),
    teamColor: TeamColor,
    squad: Squad.nullable(),
  })
  .meta({ id: "Chain" });
export type Chain = z.infer<typeof Chain>;

export const ChainResponse = z.object({
  chain: Chain,
  checkins: z.array(WorkoutCheckIn).meta({ description: "One's own and those of one's neighbours." }),
});

const TeamStats = z
  .object({
    totalMembers: z.int(),
    completed: z.int(),
    failed: z.int(),
    pending: z.int().meta({ description: "Those whose window is still to come count as pending." }),
    completionRate: z
      .number()
      .meta({ description: "Completed of a hundred members, with one decimal; 0 without members." }),
    totalChips: z.int().meta({ description: "Chips of verified check-ins." }),
  })
  .meta({ id: "TeamStats" });
export type TeamStats = z.infer<typeof TeamStats>;

export const TeamStatsResponse = z.object({ redTeam: TeamStats, blueTeam: TeamStats });
export type TeamStatsResponse = z.infer<typeof TeamStatsResponse>;
