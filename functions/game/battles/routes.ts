import { adminOrCron, userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { PageQuery } from "#http/response/paging";
import { listBattles, readBattleProof, readBattleWeek } from "./battle.ts";
import { executeBattle, executeRunningBattle } from "./runs.ts";
import {
  BattleExecutedResponse,
  BattleHistoryResponse,
  BattleProofResponse,
  BattleWeekResponse,
  WeekParam,
} from "./schema.ts";

/** Battles of a week. */
export const battleRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/workout-window/battle/week/:weekStartDate",
    {
      id: "readBattleWeek",
      summary: "Read the battle of a week with both teams and each day",
      description:
        "Name the week by its Monday. The current week always has a battle; 404 for a past week without one. Chips count once their check-in is verified.",
      guard: userOrProgram("game:read"),
      // The battle of the current week begins when it is first read.
      access: "write while closing",
      params: WeekParam.shape,
      response: BattleWeekResponse,
      errors: ["game.not_a_monday", "game.future_week", "game.no_battle"],
    },
    ({ tx, params, now }) => readBattleWeek(tx, params.weekStartDate, now),
  ),
  endpoint(
    "GET /api/workout-window/battle/week/:weekStartDate/proof",
    {
      id: "readBattleProof",
      summary: "Read what a completed battle was computed from",
      description:
        "With it anyone can recompute the battle: `verifyBattle` of the client does. 404 until the battle is completed.",
      guard: userOrProgram("game:read"),
      replica: "everybody's",
      params: WeekParam.shape,
      response: BattleProofResponse,
      errors: ["game.not_a_monday", "game.future_week", "game.no_battle"],
    },
    async ({ tx, params, now }) => ({ proof: await readBattleProof(tx, params.weekStartDate, now) }),
  ),
  endpoint(
    "GET /api/workout-window/battle/history",
    {
      id: "listBattles",
      summary: "List the completed battles and your part in them",
      description: "Newest first.",
      guard: userOrProgram("game:read"),
      access: "read",
      replica: "everybody's",
      query: PageQuery,
      response: BattleHistoryResponse,
    },
    ({ tx, actor, query }) => listBattles(tx, actor.userId, query),
  ),
  endpointInSteps(
    "POST /api/workout-window/battle/execute/:weekStartDate",
    {
      id: "executeBattle",
      summary: "End the battle of a week (admin or scheduled)",
      description:
        "The week must have begun. A battle that has already ended keeps its result. Anyone can recompute the result from the chips, the members and the seed in it. Chips that are verified later count for the next battle.",
      guard: adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
      audit: { target: "battle" },
      params: WeekParam.shape,
      response: BattleExecutedResponse,
      errors: ["game.not_a_monday", "game.future_week", "game.no_battle"],
    },
    ({ services, params }) => executeBattle(services, params.weekStartDate),
  ),
  jobEndpoint(executeRunningBattle, { id: "runBattle", summary: "End the battle of the current week (scheduled)" }),
];
