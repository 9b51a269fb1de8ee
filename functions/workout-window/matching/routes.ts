import { type Endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { user } from "@nectar/http/guards";
import { optionalBody } from "@nectar/http/inputs";
import { dueTimeOf, jobEndpoint, jobGuard } from "@nectar/http/job-endpoint";
import { rematchQueued } from "./rematch.ts";
import { dateToGenerate, generateAround, generateForAllPlayers, matchAllPlayers } from "./runs.ts";
import { ChainsJobResponse, GenerateChainsRequest, GenerateChainsResponse } from "./schema.ts";

/** Generating chains and squads. */
export const matchingRoutes: readonly Endpoint[] = [
  phasedEndpoint(
    "POST /api/workout-window/generate-chains",
    {
      id: "generateChains",
      summary: "Match the players of your area for today or tomorrow",
      description:
        "Windows that have opened stay as they are. If nothing has changed, nothing is done. Up to 20 times an hour.",
      guard: user,
      body: optionalBody(GenerateChainsRequest),
      response: GenerateChainsResponse,
      errors: ["game.date_not_playable", "quota.exhausted"],
    },
    {
      before: ({ tx, actor, body, now }) => dateToGenerate(tx, actor.userId, now, body.date),
      during: ({ services, actor }, date) => generateAround(services, actor.userId, date),
    },
  ),
  phasedEndpoint(
    `POST ${matchAllPlayers.schedule.path}`,
    {
      id: "runChainGeneration",
      summary: "Match all players for one date, or for today and tomorrow (scheduled)",
      description:
        "Dates are from yesterday to one week ahead, by the UTC calendar. Windows that have opened stay as they are. Running it again changes nothing.",
      guard: jobGuard(matchAllPlayers.schedule),
      body: optionalBody(GenerateChainsRequest),
      response: ChainsJobResponse,
      errors: ["game.date_not_playable"],
    },
    { during: ({ services, body, header }) => generateForAllPlayers(services, body.date, dueTimeOf(header)) },
  ),
  jobEndpoint(rematchQueued, {
    id: "runRematch",
    summary: "Match the players whose changes could not be matched immediately (scheduled)",
  }),
];
