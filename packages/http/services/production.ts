import { readProcessConfig } from "#config/config";
import type { Services } from "./services.ts";
import { servicesFor } from "./services-for.ts";

/** The services of a deployed function, from its environment. @throws Error when the environment is not valid */
export function production(): Services {
  return servicesFor(readProcessConfig());
}
