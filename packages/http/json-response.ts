import type { AppContext, PlainResponse } from "./context.ts";
import { crossOriginHeaders } from "./cross-origin.ts";

/**
 * Builds a response with a JSON body and the headers that every response has.
 * @param body a value to encode, or text that is JSON already
 */
export function jsonResponse(
  c: AppContext,
  status: number,
  body: object | { readonly jsonText: string },
  extraHeaders?: Readonly<Record<string, string>>,
): PlainResponse {
  const durationMs = Math.round((performance.now() - c.startedAt) * 10) / 10;
  const headers = {
    "content-type": "application/json",
    "x-request-id": c.requestId,
    "server-timing": `total;dur=${durationMs}`,
    // A response is data for one caller, so it is never cached, framed or shown as a page.
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
  };
  Object.assign(headers, crossOriginHeaders(c), extraHeaders);
  return { status, headers, body: "jsonText" in body ? body.jsonText : JSON.stringify(body) };
}
