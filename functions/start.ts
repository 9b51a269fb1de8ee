import { join } from "node:path";
import { runServer } from "#ops/server/run-server";
import { routeToGroups } from "./all.ts";
import { readFigures } from "./health/figures.ts";
import { SCHEDULES } from "./schedules.ts";
import { servicesWithLanes } from "./workers/lanes.ts";

/** `npm start`: all functions in one process, on your own server. */
await runServer({
  createServices: servicesWithLanes,
  createFetch: routeToGroups,
  schedules: SCHEDULES,
  readFigures,
  // The bundle of the container image has a folder beside it, like this file.
  supabaseFolder: join(import.meta.dirname, "../supabase"),
});
