import { readProcessConfig } from "@nectar/config/config";
import { openDatabase } from "@nectar/database/database";
import { createLogger } from "./logging.ts";
import type { Services } from "./services.ts";
import { servicesFor } from "./services-for.ts";

/** The services of a deployed function, from its environment. @throws Error when the environment is not complete */
export function production(): Services {
  const config = readProcessConfig();
  return servicesFor(config, {
    database: openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize }),
    clock: { now: () => new Date() },
    logger: createLogger(config.logLevel),
  });
}
