import type { Config } from "@nectar/config/config";
import type { Services } from "./services.ts";
import { createTokenVerifier } from "./tokens.ts";

/** Completes the services that follow from the configuration alone. */
export function servicesFor(config: Config, outside: Pick<Services, "database" | "clock" | "logger">): Services {
  return { config, ...outside, verifyToken: createTokenVerifier(config, outside.clock) };
}
