import { type ErrorCode, sentenceOf, statusOf } from "#core/errors";
import { secretCheck } from "#http/access/secrets";

/** The header in which the router sends its secret. Nothing behind the function's entry point gets it. */
export const ROUTER_HEADER = "x-nectar-router";

const REFUSAL: ErrorCode = "auth.not_through_router";

/**
 * The code that SST's router runs at the edge before it routes a request. It replaces a header that the caller sent.
 * @param secrets the value of ROUTER_SECRET: one secret, or during a rotation several, of which the first one is sent
 */
export function sendRouterSecret(secrets: string): string {
  const [first = ""] = secrets.split(",");
  return `event.request.headers["${ROUTER_HEADER}"] = { value: ${JSON.stringify(first.trim())} };`;
}

/** Makes the check whether an event came through the router. @param secrets each of them is accepted */
export function routerCheck(
  secrets: readonly string[],
): (event: { readonly headers?: Readonly<Record<string, unknown>> }) => boolean {
  const isSecret = secretCheck(secrets);
  return ({ headers }) => isSecret(String(headers?.[ROUTER_HEADER] ?? ""));
}

/** The response to a request that did not come through the router, as a function URL takes it. */
export function refusal() {
  return {
    statusCode: statusOf(REFUSAL),
    headers: { "content-type": "application/json", "cache-control": "no-store" },
    body: JSON.stringify({ error: sentenceOf(REFUSAL), code: REFUSAL }),
    isBase64Encoded: false,
  };
}
