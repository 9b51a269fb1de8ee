import { SCHEDULE_SOURCE } from "./scheduled-event.ts";

/** What a function URL passes on of a request (payload 2.0), and EventBridge of a scheduled job. */
export interface LambdaEvent {
  /** Only in events of EventBridge. */
  readonly source?: string;
  readonly rawPath: string;
  /** Without its question mark; empty without a query. */
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } };
}

/** The part of fetch's `Request` that apps read. */
interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The app of a group. */
interface App {
  readonly respond: (request: PlainRequest) => PlainResponse | Promise<PlainResponse>;
}

/**
 * The entry point of a deployed function. An HTTP caller gets every response. The scheduler reads none: a failed job must
 * fail the invocation, or Lambda would neither retry it nor put it into the queue of failed jobs.
 * Nothing here uses the classes of fetch, because loading them takes long (decision 20).
 * @returns a handler that throws when a scheduled job responds with anything but 2xx; the message has only path and status
 */
export function lambdaHandler({ respond }: App) {
  return async (event: LambdaEvent) => {
    const { status, headers, body } = await respond(requestOf(event));
    if (event.source === SCHEDULE_SOURCE && (status < 200 || status > 299)) {
      throw new Error(`The scheduled job at ${event.rawPath} responded ${status}.`);
    }
    return { statusCode: status, headers, body: body ?? "", isBase64Encoded: false };
  };
}

function requestOf(event: LambdaEvent): PlainRequest {
  const { rawPath, rawQueryString, requestContext } = event;
  const headers = new Map(Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const query = rawQueryString === "" ? "" : `?${rawQueryString}`;
  const url = `https://${requestContext.domainName}${rawPath}${query}`;
  const { method } = requestContext.http;
  if (event.body === undefined || event.body === "") return { method, url, headers, body: null };
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8");
  headers.set("content-length", String(bytes.length));
  return { method, url, headers, body: chunksOf(bytes) };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
