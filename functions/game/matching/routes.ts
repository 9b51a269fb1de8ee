import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { dueTimeOf, jobEndpoint, jobGuard } from "#http/jobs/job-endpoint";
import { rematchQueued } from "./rematch.ts";
import { DAYS_AHEAD, dateToGenerate, generateAround, generateForAllPlayers, matchAllPlayers } from "./runs.ts";
import { ChainsJobResponse, GenerateChainsRequest, GenerateChainsResponse } from "./schema.ts";

/** Generating chains and squads. */
export const matchingRoutes: readonly Endpoint[] = [
  endpointInSteps(
    "POST /api/workout-window/generate-chains",
    {
      id: "generateChains",
      summary: "Match the players of your area for today or tomorrow",
      description: "Windows that have opened stay as they are. If nothing has changed, nothing is done.",
      guard: userOrProgram("game:write"),
      body: GenerateChainsRequest,
      response: GenerateChainsResponse,
      quota: "chain_generation",
      errors: ["game.date_not_playable"],
    },
    async ({ commit, services, actor, body, now }) => {
      const date = await commit((tx) => dateToGenerate(tx, actor.userId, now, body.date));
      return generateAround(services, actor.userId, date);
    },
  ),
  endpointInSteps(
    `POST ${matchAllPlayers.schedule.path}`,
    {
      id: "runChainGeneration",
      summary: "Match all players for one date, or for today and tomorrow (scheduled)",
      description: `Dates are from yesterday to ${DAYS_AHEAD} days ahead, by the UTC calendar. Windows that have opened stay as they are. Running it again changes nothing.`,
      guard: jobGuard(matchAllPlayers.schedule),
      body: GenerateChainsRequest,
      response: ChainsJobResponse,
      errors: ["game.date_not_playable"],
    },
    ({ services, body, header }) => generateForAllPlayers(services, body.date, dueTimeOf(header)),
  ),
  jobEndpoint(rematchQueued, {
    id: "runRematch",
    summary: "Match the players whose changes could not be matched immediately (scheduled)",
  }),
];
