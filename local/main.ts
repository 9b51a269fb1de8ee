import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesWithLanes } from "#functions/workers/lanes";
import { runDev } from "./dev.ts";

/** `npm run dev`: all groups on one port, with a stack on this machine. */
await runDev({
  async createApi(environment) {
    const { services, close } = servicesWithLanes(readConfig(environment));
    return { fetch: routeToGroups(services), close };
  },
  // Loaded only at the first start, when there are no data yet.
  async seed(target) {
    const { seedDemoData } = await import("./demo/seed.ts");
    await seedDemoData(target);
    const { playDemoGame } = await import("./demo/play.ts");
    await playDemoGame(target);
  },
});
