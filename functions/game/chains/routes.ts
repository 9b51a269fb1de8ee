import { grouped } from "#core/text/numbers";
import { superAdmin, userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { presentCheckIns } from "../check-ins/check-ins.ts";
import { dayMoment } from "../day-state.ts";
import { DateParam } from "../schema.ts";
import { readAdminTeams } from "./admin-teams.ts";
import { AdminTeamsQuery, AdminTeamsResponse, MAX_PAGE } from "./admin-teams-schema.ts";
import { readChain, readSquad } from "./chains.ts";
import { ChainResponse, SquadResponse, TeamStatsResponse } from "./schema.ts";
import { readTeamStats } from "./team-stats.ts";

/** Chains, squads and teams of a date. */
export const chainRoutes: readonly Endpoint[] = [
  endpointInSteps(
    "GET /api/workout-window/chain/:date",
    {
      id: "readChain",
      summary: "Read your neighbors, team and squad of a date",
      description:
        "`beforeUser` and `afterUser` are null at the ends of the chain. 404 if you do not play on that date. `checkins` are yours and those of your neighbors.",
      guard: userOrProgram("game:read"),
      replica: "shared",
      params: DateParam.shape,
      response: ChainResponse,
      errors: ["game.no_chain", "provider.failed"],
    },
    async ({ read, services, actor, params }) => {
      const { chain, checkIns } = await read((tx) => readChain(tx, actor.userId, params.date));
      return { chain, checkins: await presentCheckIns(services, checkIns) };
    },
  ),
  endpointInSteps(
    "GET /api/workout-window/squad/:date",
    {
      id: "readSquad",
      summary: "Read your squad of a date",
      description:
        "404 if you have no squad: not every player has one every day. A member is null if they left and were not replaced.",
      guard: userOrProgram("game:read"),
      replica: "shared",
      params: DateParam.shape,
      response: SquadResponse,
      errors: ["game.no_squad", "provider.failed"],
    },
    async ({ read, services, actor, params }) => {
      const { squad, checkIns } = await read((tx) => readSquad(tx, actor.userId, params.date));
      return { squad, checkins: await presentCheckIns(services, checkIns) };
    },
  ),
  endpoint(
    "GET /api/workout-window/team-stats/:date",
    {
      id: "readTeamStats",
      summary: "Read the results of both teams on a date",
      guard: userOrProgram("game:read"),
      replica: "everybody's",
      params: DateParam.shape,
      response: TeamStatsResponse,
    },
    ({ tx, params, ...request }) => readTeamStats(tx, params.date, dayMoment(request)),
  ),
  endpoint(
    "GET /api/workout-window/admin/teams/:date",
    {
      id: "readTeamsOfDate",
      summary: "Read the members of both teams on a date (super admin)",
      description: `People and synthetic users are counted separately. Members are in the order in which their windows start, at most ${grouped(MAX_PAGE)} per page: send \`nextCursor\` as \`cursor\` to read the next page.`,
      guard: superAdmin,
      access: "read",
      params: DateParam.shape,
      query: AdminTeamsQuery,
      response: AdminTeamsResponse,
    },
    ({ tx, params, query, ...request }) => readAdminTeams(tx, params.date, query, dayMoment(request)),
  ),
];
