import { type AppContext, headerOf, type PlainResponse } from "./context.ts";

/** Headers of ours that a browser may show to the page that called. */
const EXPOSED_HEADERS = "x-request-id, server-timing, idempotent-replayed, retry-after";
const ALLOWED_REQUEST_HEADERS = "authorization, content-type, idempotency-key, x-request-id";
const MAX_AGE_SECONDS = 86_400;

/** What a browser needs to know of a response; a request without Origin does not come from a page. */
export function crossOriginHeaders(
  c: Pick<AppContext, "request" | "services">,
): Readonly<Record<string, string>> | undefined {
  const allowed = c.services.config.appOrigins;
  const origin = headerOf(c, "origin");
  if (allowed.length === 0) return origin === undefined ? undefined : forOrigin("*");
  if (origin === undefined || !allowed.includes(origin)) return { vary: "Origin" };
  return { ...forOrigin(origin), vary: "Origin" };
}

/** The response to a browser that asks whether a page may send a request. @param methods that endpoints may have */
export function preflightResponse(
  c: Pick<AppContext, "request" | "services">,
  methods: readonly string[],
): PlainResponse {
  const headers = {
    ...crossOriginHeaders(c),
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": ALLOWED_REQUEST_HEADERS,
    "access-control-max-age": String(MAX_AGE_SECONDS),
  };
  return { status: 204, headers, body: null };
}

function forOrigin(origin: string) {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}
