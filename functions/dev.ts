import { readConfig } from "@nectar/config/config";
import { runDev } from "@nectar/local/dev";
import { recentWork } from "@nectar/local/recent-work";
import { routeToGroups } from "./all.ts";
import { servicesWithLanes } from "./tasks/lanes.ts";

/** `npm run dev`: all groups on one port, with a stack on this machine. */
await runDev({
  async createApi(environment) {
    const config = readConfig(environment);
    const work = recentWork();
    const { services, close } = servicesWithLanes(config, { onSpanEnd: work.add });
    return { fetch: routeToGroups(services), close, work };
  },
  // Loaded only at the first start, when there are no data yet.
  async seed(target) {
    const { seedDemoData } = await import("@nectar/local/demo/seed");
    await seedDemoData(target);
    const { playDemoGame } = await import("./demo-game.ts");
    await playDemoGame(target);
  },
});
