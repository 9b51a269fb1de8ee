import type { Config } from "@nectar/config/config";
import { type Database, noDatabase, openDatabase } from "@nectar/database/database";
import { createLogger } from "./logging.ts";
import type { Services } from "./services.ts";
import { createTokenVerifier } from "./tokens.ts";

/**
 * Builds the services that a configuration asks for: a pool of connections (opened on first use), the system's clock and
 * a logger on standard output.
 * @param instead services to use in place of those
 */
export function servicesFor(
  config: Config,
  instead: Partial<Pick<Services, "database" | "clock" | "logger">> = {},
): Services {
  const clock = instead.clock ?? { now: () => new Date() };
  return {
    config,
    clock,
    database: instead.database ?? databaseOf(config),
    logger: instead.logger ?? createLogger(config.logLevel),
    verifyToken: createTokenVerifier(config, clock),
  };
}

function databaseOf({ databaseUrl, databasePoolSize }: Config): Database {
  return databaseUrl === null ? noDatabase() : openDatabase({ url: databaseUrl, poolSize: databasePoolSize });
}
