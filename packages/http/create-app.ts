import { randomUUID } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { EXPOSED_HEADERS } from "./answer.ts";
import type { AppEnv } from "./context.ts";
import { answerError } from "./problem.ts";
import type { Services } from "./services.ts";

/** Request ids of our callers that are taken over; anything else is replaced. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const METHODS = ["GET", "POST", "PUT", "DELETE"];

/**
 * The app of one group with all that every route has in common: request id, log line, CORS, and errors that say no more
 * than they should. Routes are declared with their whole path, so that searching for a path finds it.
 */
export function createApp(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestContext(services));
  app.options("*", preflight(services.config.appOrigins));
  app.onError(answerError);
  app.notFound((c) => {
    const allowed = METHODS.filter((method) => hasRoute(app, method, c.req.path));
    if (allowed.length === 0) return answerError(new AppError("route.not_found"), c);
    return answerError(new AppError("route.method_not_allowed"), c, { allow: allowed.join(", ") });
  });
  return app;
}

function requestContext(services: Services) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const offered = c.req.header("x-request-id") ?? "";
    const requestId = ACCEPTABLE_REQUEST_ID.test(offered) ? offered : randomUUID();
    c.set("services", services);
    c.set("startedAt", startedAt);
    c.set("requestId", requestId);
    await next();
    // Whoever watches over the service asks for its health all day long; that it is well is no news.
    if (c.req.path === "/health" && c.res.status === 200) return;
    services.logger.info(
      {
        request_id: requestId,
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      },
      "request",
    );
  });
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
