import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { NextCursor } from "#http/response/paging";
import { GameDate } from "../schema.ts";

export const WeekParam = z.object({
  weekStartDate: GameDate.meta({ description: "The Monday of the week." }),
});

const Winner = z.enum(ENUMS.battle_winner).meta({ id: "BattleWinner" });

const Rounds = z.array(
  z.object({ round: z.int(), redDamage: z.int(), blueDamage: z.int(), badGuyDamage: z.int() }).meta({
    description:
      "redDamage and blueDamage: damage that each robot did to the bad guy. badGuyDamage: damage that he did to each robot.",
  }),
);

export const BattleResult = z
  .object({
    redRobotPower: z.int().meta({ description: "See `seed` for how the powers are calculated." }),
    blueRobotPower: z.int(),
    badGuyPower: z.int(),
    rounds: Rounds,
    finalOutcome: z.string().meta({ description: "The result in one sentence." }),
    seed: z.string().meta({
      description:
        "The SHA-256 hash of the Monday as YYYY-MM-DD, in hexadecimal. You can recompute the battle from it. Power of a robot: floor(chips * 10 + members * 5 + chips / members * 20); 0 if the team has no members. Power of the bad guy: floor((red + blue) / 2), at least 100. There are 3 + (byte 0 mod 3) rounds. The luck of round i is 9 + (byte i mod 3) tenths, the same for everyone. Damage of a robot in a round: floor(power * luck); of the bad guy: floor(power * luck / 2). The robot with more damage over all rounds wins; equal damage is a tie.",
    }),
  })
  .meta({ id: "BattleResult" });
export type BattleResult = z.infer<typeof BattleResult>;

export const Battle = z
  .object({
    id: z.guid(),
    week_start_date: z.iso.date().meta({ description: "The Monday of the week." }),
    week_end_date: z.iso.date().meta({ description: "The Sunday of the week." }),
    red_team_chips: z.int().meta({ description: "Chips of verified check-ins." }),
    blue_team_chips: z.int(),
    red_team_robot_power: z.int(),
    blue_team_robot_power: z.int(),
    battle_status: z.enum(ENUMS.battle_status),
    winner: Winner.nullable().meta({ description: "null until the battle is completed." }),
    battle_result: BattleResult.nullable().meta({ description: "null until the battle is completed." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Battle" });
export type Battle = z.infer<typeof Battle>;

const BattleTeam = z
  .object({
    totalChips: z.int().meta({ description: "Chips of verified check-ins." }),
    robotPower: z.int(),
    members: z.int(),
  })
  .meta({ id: "BattleTeam" });

export const BattleWeekResponse = z.object({
  battle: Battle,
  redTeam: BattleTeam,
  blueTeam: BattleTeam,
  dailyStats: z.array(z.object({ date: z.iso.date(), redTeamChips: z.int(), blueTeamChips: z.int() })).meta({
    description:
      "The seven dates of the week, oldest first. Chips of an earlier week that count in this battle stand on its Monday.",
  }),
});
export type BattleWeekResponse = z.infer<typeof BattleWeekResponse>;

const ProofTeam = z.object({ chips: z.int(), members: z.int() });

export const BattleProof = z
  .object({
    algorithm: z.literal("battle-1").meta({ description: "How `seed` of a BattleResult says." }),
    weekStartDate: z.iso.date(),
    seed: z.string().meta({ description: "The SHA-256 hash of weekStartDate, in hexadecimal." }),
    red: ProofTeam,
    blue: ProofTeam,
    result: z.object({
      winner: Winner,
      powers: z.object({ red: z.int(), blue: z.int(), badGuy: z.int() }),
      rounds: Rounds,
    }),
    digest: z.string().meta({
      description:
        "The SHA-256 hash, in hexadecimal, of algorithm, weekStartDate, seed, red and blue as canonical JSON (RFC 8785).",
    }),
  })
  .meta({ id: "BattleProof" });
export type BattleProof = z.infer<typeof BattleProof>;

export const BattleProofResponse = z.object({ proof: BattleProof });

export const BattleHistoryResponse = z.object({
  battles: z.array(Battle),
  userStats: z.object({
    totalChipsContributed: z.int().meta({ description: "All chips of your verified check-ins." }),
    battlesWon: z.int().meta({ description: "Weeks in which your team won and you had a verified check-in." }),
    longestChain: z.int().meta({ description: "The most game dates in a row with a verified check-in." }),
  }),
  nextCursor: NextCursor,
});
export type BattleHistoryResponse = z.infer<typeof BattleHistoryResponse>;

export const BattleExecutedResponse = z.object({ battle: Battle, winner: Winner, battleResult: BattleResult });
export type BattleExecutedResponse = z.infer<typeof BattleExecutedResponse>;
