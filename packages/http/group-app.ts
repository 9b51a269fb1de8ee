import { randomUUID } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import { type AppContext, headerOf, type PlainResponse, type RawRequest } from "./context.ts";
import { preflightResponse } from "./cross-origin.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorResponse } from "./error-response.ts";
import { andThen, type NowOrLater } from "./now-or-later.ts";
import { pathOf, Routes } from "./routes.ts";
import type { Services } from "./services.ts";

/** A request id that the caller sent is used if it matches; otherwise the request gets a new one. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** The app of a group. */
export interface GroupApp {
  /** For the reference. */
  readonly endpoints: readonly Endpoint[];
  readonly respond: (request: RawRequest) => NowOrLater<PlainResponse>;
  /** The same for a server or a test, with the classes of fetch. */
  readonly fetch: (request: Request) => NowOrLater<Response>;
}

/**
 * Builds the app of a group. Every request gets a request id, a log line, CORS headers and our error responses. Hono's router
 * finds the endpoint.
 */
export function groupApp(services: Services, endpoints: readonly Endpoint[]): GroupApp {
  const routes = new Routes<Endpoint>();
  for (const endpoint of endpoints) routes.add(endpoint.method, endpoint.path, endpoint);

  function noRoute(c: AppContext): PlainResponse {
    const allowed = METHODS.filter((method) => routes.find(method, c.path) !== undefined);
    if (allowed.length === 0) throw new AppError("route.not_found");
    return errorResponse(new AppError("route.method_not_allowed"), c, { allow: allowed.join(", ") });
  }

  function respond(request: RawRequest): NowOrLater<PlainResponse> {
    const startedAt = performance.now();
    if (request.method === "OPTIONS") return preflightResponse({ request, services }, METHODS);
    const path = pathOf(request.url);
    const isHead = request.method === "HEAD";
    const match = routes.find(isHead ? "GET" : request.method, path);
    const c = { request, path, params: match?.params ?? {}, services, requestId: requestIdOf(request), startedAt };
    return andThen(withErrors(c, match?.target.respond ?? noRoute), (response) => {
      logRequest(c, match?.target.path ?? "/*", response.status);
      return isHead ? { ...response, body: null } : response;
    });
  }

  return { endpoints, respond, fetch: (request) => andThen(respond(request), toFetchResponse) };
}

function requestIdOf(request: RawRequest): string {
  const offered = headerOf({ request }, "x-request-id");
  return offered !== undefined && ACCEPTABLE_REQUEST_ID.test(offered) ? offered : randomUUID();
}

/** Turns what an endpoint throws into a response. */
function withErrors(c: AppContext, respond: Endpoint["respond"]): NowOrLater<PlainResponse> {
  try {
    const response = respond(c);
    return response instanceof Promise ? response.catch((error: unknown) => errorResponse(error, c)) : response;
  } catch (error) {
    return errorResponse(error, c);
  }
}

function logRequest({ request, services, requestId, startedAt }: AppContext, route: string, status: number): void {
  // Successful health checks are not logged.
  if (route === "/health" && status === 200) return;
  services.logger.info(
    {
      request_id: requestId,
      method: request.method,
      route,
      status,
      duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
    },
    "request",
  );
}

/** The headers stay a plain object, which @hono/node-server writes without building the response of fetch. */
function toFetchResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body, { status, headers });
}
