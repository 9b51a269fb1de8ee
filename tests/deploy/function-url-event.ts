import { ROUTER_HEADER } from "#lambda/router-secret";

export const ROUTER_SECRET = "only-the-router-and-the-functions-know-it";

/** A request as it is described to `functionUrlEvent`. */
export interface UrlRequest {
  readonly method?: string;
  readonly path: string;
  /** The query string without its question mark, encoded as it was sent. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly cookies?: readonly string[];
}

/**
 * The event that a Lambda function URL makes of a request (payload 2.0): header names in lower case, cookies in a list of
 * their own, and a body in base64 whenever it came as bytes. The request came through the router, unless its headers say
 * otherwise.
 */
export function functionUrlEvent({ method = "GET", path, query = "", headers = {}, body, cookies }: UrlRequest) {
  const host = "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws";
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query,
    ...(cookies === undefined ? {} : { cookies }),
    headers: {
      "x-amzn-trace-id": "Root=1-6561f0e1-0123456789abcdef01234567",
      "x-forwarded-proto": "https",
      "x-forwarded-port": "443",
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-host": "d111111abcdef8.cloudfront.net",
      via: "2.0 0123456789abcdef.cloudfront.net (CloudFront)",
      "user-agent": "Amazon CloudFront",
      host,
      [ROUTER_HEADER]: ROUTER_SECRET,
      ...headers,
    },
    ...(query === "" ? {} : { queryStringParameters: Object.fromEntries(new URLSearchParams(query)) }),
    requestContext: {
      accountId: "anonymous",
      apiId: "abcdefghijklmnopqrstuvwxyz012345",
      domainName: host,
      domainPrefix: "abcdefghijklmnopqrstuvwxyz012345",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "Amazon CloudFront" },
      requestId: "0f9f1d3c-7a52-4c0e-9a0b-0123456789ab",
      routeKey: "$default",
      stage: "$default",
      time: "21/Nov/2026:02:00:00 +0000",
      timeEpoch: 1_795_226_400_000,
    },
    ...(body === undefined
      ? { isBase64Encoded: false }
      : {
          body: typeof body === "string" ? body : Buffer.from(body).toString("base64"),
          isBase64Encoded: typeof body !== "string",
        }),
  };
}
