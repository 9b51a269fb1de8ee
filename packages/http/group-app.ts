import { randomUUID } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { AppContext, AppEnv } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorResponse } from "./error-response.ts";
import { EXPOSED_HEADERS } from "./json-response.ts";
import type { Services } from "./services.ts";

/** A request id that the caller sent is used if it matches; otherwise the request gets a new one. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** The app of a group, with its endpoints for the reference. */
export type GroupApp = Hono<AppEnv> & { readonly endpoints: readonly Endpoint[] };

/**
 * Builds the app of a group. Every request gets a request id, a log line, CORS headers and our error responses. An endpoint
 * is one handler without middleware, which Hono calls directly.
 */
export function groupApp(services: Services, endpoints: readonly Endpoint[]): GroupApp {
  const app = new Hono<AppEnv>();
  app.options("*", preflight(services.config.appOrigins));
  for (const { method, path, respond } of endpoints) {
    app.on(method, path, (c) => logged(c, services, path, () => respond(c, services)));
  }
  app.notFound((c) =>
    logged(c, services, "/*", async () => {
      const allowed = METHODS.filter((method) => hasRoute(app, method, c.req.path));
      if (allowed.length === 0) throw new AppError("route.not_found");
      return errorResponse(new AppError("route.method_not_allowed"), c, { allow: allowed.join(", ") });
    }),
  );
  return Object.assign(app, { endpoints });
}

/** Runs a request, turns what it throws into a response, and logs it. */
async function logged(
  c: AppContext,
  services: Services,
  route: string,
  run: () => Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  const offered = c.req.header("x-request-id") ?? "";
  const requestId = ACCEPTABLE_REQUEST_ID.test(offered) ? offered : randomUUID();
  c.set("services", services);
  c.set("startedAt", startedAt);
  c.set("requestId", requestId);
  let response: Response;
  try {
    response = await run();
  } catch (error) {
    response = errorResponse(error, c);
  }
  // Successful health checks are not logged.
  if (c.req.path === "/health" && response.status === 200) return response;
  services.logger.info(
    {
      request_id: requestId,
      method: c.req.method,
      route,
      status: response.status,
      duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
    },
    "request",
  );
  return response;
}

function preflight(origins: readonly string[]) {
  return cors({
    origin: origins.length === 0 ? "*" : [...origins],
    allowMethods: METHODS,
    allowHeaders: ["authorization", "content-type", "idempotency-key", "x-request-id"],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
}

function hasRoute(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path);
  return matches.some(([[, route]]) => route.method === method);
}
