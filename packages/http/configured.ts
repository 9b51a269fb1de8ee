import { AppError } from "@nectar/core/errors";

/**
 * A service that may be missing.
 * @param missing what the caller is told when it is
 * @throws AppError 503 when it is
 */
export function configured<Service>(service: Service | null, missing = "This is not set up on this server."): Service {
  if (service === null) throw new AppError("provider.not_configured", missing);
  return service;
}
