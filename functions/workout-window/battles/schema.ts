import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";
import { GameDate } from "../schema.ts";

/** The path parameter of a week. */
export const WeekParam = z.object({
  weekStartDate: GameDate.meta({ description: "The Monday of the week." }),
});

/** How a battle ended. */
const Winner = z.enum(["red", "blue", "tie"]).meta({ id: "BattleWinner" });

export const BattleResult = z
  .object({
    redRobotPower: z.int(),
    blueRobotPower: z.int(),
    badGuyPower: z.int(),
    rounds: z.array(
      z.object({ round: z.int(), redDamage: z.int(), blueDamage: z.int(), badGuyDamage: z.int() }).meta({
        description: "What each robot did to the bad guy, and what he did to each robot.",
      }),
    ),
    finalOutcome: z.string(),
    seed: z.string().meta({
      description:
        "SHA-256 of the Monday as YYYY-MM-DD, in hexadecimal, from which anybody can work the battle out again. Power: floor(chips * 10 + members * 5 + chips / members * 20), 0 without members; the bad guy's: floor(half of both), at least 100. There are 3 + (byte 0 mod 3) rounds; the luck of round i is 9 + (byte i mod 3) tenths, shared by all. A robot's damage is floor(power * luck), the bad guy's floor(his power * luck / 2). Who did the most damage in all rounds wins; equal damage is a tie.",
    }),
  })
  .meta({ id: "BattleResult" });
export type BattleResult = z.infer<typeof BattleResult>;

export const Battle = z
  .object({
    id: z.guid(),
    week_start_date: z.iso.date(),
    week_end_date: z.iso.date(),
    red_team_chips: z.int(),
    blue_team_chips: z.int(),
    red_team_robot_power: z.int(),
    blue_team_robot_power: z.int(),
    battle_status: z.enum(["pending", "in_progress", "completed"]),
    winner: Winner.nullable(),
    battle_result: BattleResult.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Battle" });
export type Battle = z.infer<typeof Battle>;

const BattleTeam = z.object({ totalChips: z.int(), robotPower: z.int(), members: z.int() }).meta({ id: "BattleTeam" });

export const BattleWeekResponse = z.object({
  battle: Battle,
  redTeam: BattleTeam,
  blueTeam: BattleTeam,
  dailyStats: z.array(z.object({ date: z.iso.date(), redTeamChips: z.int(), blueTeamChips: z.int() })).meta({
    description: "The seven dates of the week, after earlier ones whose chips came when their battle was over.",
  }),
});
export type BattleWeekResponse = z.infer<typeof BattleWeekResponse>;

export const HistoryQuery = z.object(pageFields());
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const BattleHistoryResponse = z.object({
  battles: z.array(Battle),
  userStats: z.object({
    totalChipsContributed: z.int(),
    battlesWon: z.int().meta({ description: "Weeks that the caller's colour won." }),
    longestChain: z.int().meta({ description: "The longest run of dates in a row with a verified check-in." }),
  }),
  nextCursor: NextCursor,
});
export type BattleHistoryResponse = z.infer<typeof BattleHistoryResponse>;

export const BattleExecutedResponse = z.object({ battle: Battle, winner: Winner, battleResult: BattleResult });
export type BattleExecutedResponse = z.infer<typeof BattleExecutedResponse>;
