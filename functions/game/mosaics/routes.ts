import { grouped } from "#core/text/numbers";
import { adminOrCron, userOrProgram } from "#http/access/guards";
import { type Endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { DateParam } from "../schema.ts";
import { presentMosaic, readMosaic } from "./mosaic.ts";
import { generateMosaic, queueMosaics } from "./runs.ts";
import { GenerateMosaicResponse, MAX_SECTIONS, MosaicQuery, MosaicResponse } from "./schema.ts";

/** Mosaics of a date. */
export const mosaicRoutes: readonly Endpoint[] = [
  endpointInSteps(
    "GET /api/workout-window/mosaic/:date",
    {
      id: "readMosaic",
      summary: "Read the latest mosaic of a date",
      description: `There is one section per participant; together they fill the image without overlapping. A page has at most ${grouped(MAX_SECTIONS)} sections, or fewer if the names are long: send \`nextCursor\` as \`cursor\` to read the next page.`,
      guard: userOrProgram("game:read"),
      replica: "everybody's",
      params: DateParam.shape,
      query: MosaicQuery,
      response: MosaicResponse,
      errors: ["game.no_mosaic", "provider.failed", "provider.not_configured"],
    },
    async ({ read, services, params, query }) =>
      presentMosaic(services, await read((tx) => readMosaic(tx, params.date, query))),
  ),
  endpointInSteps(
    "POST /api/workout-window/mosaic/generate/:date",
    {
      id: "generateMosaic",
      summary: "Draw the mosaic of a date, again if it exists (admin or scheduled)",
      description:
        "If no one played, the mosaic is empty. The response has the first page of sections; read the others with GET on the mosaic.",
      guard: adminOrCron("WORKOUT_WINDOW_CRON_SECRET"),
      audit: { target: "mosaic" },
      params: DateParam.shape,
      response: GenerateMosaicResponse,
      errors: ["provider.failed", "provider.not_configured"],
    },
    ({ services, params }) => generateMosaic(services, params.date),
  ),
  jobEndpoint(queueMosaics, {
    id: "runMosaics",
    summary: "Draw the mosaics of today and yesterday if something changed (scheduled)",
    description: "They are drawn in the background, shortly after the response. Without a file store, none are.",
  }),
];
