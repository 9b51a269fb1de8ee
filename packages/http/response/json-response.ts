import type { AppContext } from "../services/context.ts";

/**
 * In a request: the position of the caller's last write, or nothing, which lets replicas serve it. In a response: the
 * position of its write, for the requests that follow.
 */
export const POSITION_HEADER = "x-nectar-position";

/** Headers of ours that a browser may show to the page that called. */
export const EXPOSED_HEADERS = [
  "x-request-id",
  "server-timing",
  "idempotent-replayed",
  "retry-after",
  "etag",
  POSITION_HEADER,
];

/**
 * Builds a response with a JSON body and the headers that every response has. They are one plain object, because
 * middleware that adds headers to a finished response makes Node build it twice, which costs more than the rest of a
 * small request.
 * @param body a value to encode, or text that is JSON already
 */
export function jsonResponse(
  c: AppContext,
  status: number,
  body: object | { readonly jsonText: string },
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const headers = headersOf(c, { "content-type": "application/json" }, extraHeaders);
  return new Response("jsonText" in body ? body.jsonText : JSON.stringify(body), { status, headers });
}

/** The response to a reader who has the present state of a thing. */
export function notModified(c: AppContext, etag: string): Response {
  return new Response(null, { status: 304, headers: headersOf(c, { etag }) });
}

function headersOf(
  c: AppContext,
  ownHeaders: Readonly<Record<string, string>>,
  extraHeaders?: Readonly<Record<string, string>>,
): Record<string, string> {
  const durationMs = Math.round((performance.now() - c.startedAt) * 10) / 10;
  const headers: Record<string, string> = {
    ...ownHeaders,
    "x-request-id": c.requestId,
    "server-timing": `total;dur=${durationMs}`,
    // A response is data for one caller, so it is never cached, framed or shown as a page.
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
  };
  const { position } = c.replication;
  if (position !== undefined) headers[POSITION_HEADER] = position;
  return Object.assign(headers, crossOriginHeaders(c.services.config.appOrigins, c.req.header("origin")), extraHeaders);
}

/** What a browser needs to know; a request without Origin does not come from a page. */
function crossOriginHeaders(
  allowed: readonly string[],
  origin: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (allowed.length === 0) return origin === undefined ? undefined : forOrigin("*");
  if (origin === undefined || !allowed.includes(origin)) return { vary: "Origin" };
  return { ...forOrigin(origin), vary: "Origin" };
}

function forOrigin(origin: string) {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS.join(", ") };
}
