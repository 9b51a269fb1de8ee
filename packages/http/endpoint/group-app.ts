import { randomUUID } from "node:crypto";
import { type Context, Hono, type HonoRequest } from "hono";
import { cors } from "hono/cors";
import { AppError } from "#core/errors";
import { errorResponse } from "../response/error-response.ts";
import { EXPOSED_HEADERS, POSITION_HEADER } from "../response/json-response.ts";
import type { AppContext } from "../services/context.ts";
import { statusClassOf } from "../services/metrics.ts";
import type { Services } from "../services/services.ts";
import { tracedRequest } from "../services/traced.ts";
import type { Endpoint } from "./endpoint.ts";

/** A request id that the caller sent is used if it matches; otherwise the request gets a new one. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** Requests of monitors, which are not traced, not counted in metrics, and logged only if they fail. */
const CHECKS = new Set(["/health", "/health/ready", "/health/jobs", "/metrics"]);

/** The labels of a request in log lines, metrics and spans. */
interface RouteLabels {
  readonly group: string;
  /** The path of its endpoint, with the names of parameters. */
  readonly route: string;
  /** The id of its endpoint; `none` for a request that has none. */
  readonly operation: string;
}

/** The app of a group, with its endpoints for the reference. */
export type GroupApp = Hono & { readonly endpoints: readonly Endpoint[] };

/**
 * Builds the app of a group. Every request gets a request id, a log line, CORS headers and our error responses. An endpoint
 * is one handler without middleware, which Hono calls directly.
 * @param group its name, in metrics
 */
export function groupApp(services: Services, group: string, endpoints: readonly Endpoint[]): GroupApp {
  const app = new Hono();
  app.options("*", preflight(services.config.appOrigins));
  for (const { method, path, definition, respond } of endpoints)
    app.on(method, path, handlerOf(services, { group, route: path, operation: definition.id }, respond));
  const noRoute = async (c: AppContext) => {
    const allowed = METHODS.filter((method) => hasRoute(app, method, c.req.path));
    if (allowed.length === 0) throw new AppError("route.not_found");
    return errorResponse(new AppError("route.method_not_allowed"), c, { allow: allowed.join(", ") });
  };
  app.notFound(handlerOf(services, { group, route: "/*", operation: "none" }, noRoute));
  return Object.assign(app, { endpoints });
}

/** Responds to requests that no group gets, with the log line and the errors of a group's app. */
export function respondOutsideOfGroups(services: Services, route: string, respond: Endpoint["respond"]): Hono["fetch"] {
  return new Hono().all("*", handlerOf(services, { group: "none", route, operation: "none" }, respond)).fetch;
}

/** A handler for Hono, which turns what an endpoint throws into a response and logs the request. */
function handlerOf(services: Services, labels: RouteLabels, respond: Endpoint["respond"]) {
  const { telemetry } = services;
  const run =
    telemetry === null || CHECKS.has(labels.route)
      ? (c: AppContext) => withErrors(c, respond)
      : (c: AppContext) => tracedRequest(telemetry, c, labels.route, () => withErrors(c, respond));
  return async ({ req }: Context): Promise<Response> => {
    const c = { req, services, requestId: requestIdOf(req), startedAt: performance.now(), replication: {} };
    const response = await run(c);
    logRequest(c, labels, response);
    return response;
  };
}

function requestIdOf(req: HonoRequest): string {
  const offered = req.header("x-request-id");
  return offered !== undefined && ACCEPTABLE_REQUEST_ID.test(offered) ? offered : randomUUID();
}

/** Turns what an endpoint throws into a response. */
async function withErrors(c: AppContext, respond: Endpoint["respond"]): Promise<Response> {
  try {
    return await respond(c);
  } catch (error) {
    return errorResponse(error, c);
  }
}

function logRequest(
  { req, services, requestId, startedAt, replication: { from } }: AppContext,
  { group, route, operation }: RouteLabels,
  { status }: Response,
): void {
  const { metrics, meter, logger } = services;
  const isCheck = CHECKS.has(route);
  // Successful checks are not logged.
  if (isCheck && status === 200) return;
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  if (!isCheck) meter?.request(operation, status, durationMs);
  logger.info(
    {
      ...(metrics &&
        !isCheck && {
          // With replicas, also by server.
          ...metrics("request", from === undefined ? [] : [["database"]]),
          group,
          status_class: statusClassOf(status),
        }),
      request_id: requestId,
      method: req.method,
      route,
      status,
      ...(from !== undefined && { database: from }),
      duration_ms: durationMs,
    },
    "request",
  );
}

function preflight(origins: readonly string[]) {
  return cors({
    origin: origins.length === 0 ? "*" : [...origins],
    allowMethods: METHODS,
    allowHeaders: [
      ...[
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        POSITION_HEADER,
        "x-request-id",
      ],
      // Tracing libraries add these to every request.
      ...["baggage", "sentry-trace", "traceparent", "tracestate"],
    ],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
}

function hasRoute(app: Hono, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path);
  return matches.some(([[, route]]) => route.method === method);
}
