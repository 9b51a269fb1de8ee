import { AppError } from "#core/errors";

/**
 * A service that may be missing.
 * @throws AppError 503 when it is
 */
export function configured<Service>(service: Service | null): Service {
  if (service === null) throw new AppError("provider.not_configured");
  return service;
}
