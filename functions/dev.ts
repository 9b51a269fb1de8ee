import { readConfig } from "@nectar/config/config";
import { openDatabase } from "@nectar/database/database";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";
import { runDev } from "@nectar/local/dev";
import { routeToGroups } from "./all.ts";

/** `npm run dev`: every group on one port, over a stack that lives on this machine. */
await runDev({
  async createApi(environment) {
    const config = readConfig(environment);
    const database = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
    const services = servicesFor(config, {
      database,
      clock: { now: () => new Date() },
      logger: createLogger(config.logLevel),
    });
    return { fetch: routeToGroups(services), close: () => database.close() };
  },
  // Loaded only when there is something to write, which is at the first start.
  async seed(target) {
    const { seedDemoData } = await import("@nectar/local/demo/seed");
    await seedDemoData(target);
  },
});
