import type { Person } from "./people.ts";
import { checkAgainstReference, checkError } from "./reference-check.ts";
import type { BodyOf, Problem } from "./response-body.ts";

/** A response of the API, its body parsed. */
export interface ApiResponse<Body = Problem> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly text: string;
  /** The parsed JSON body, null if there is none. */
  readonly body: Body;
}

/** The parts of a request beyond its method and path. */
export interface RequestOptions {
  /** Who sends it; without a token if left out. */
  readonly as?: Pick<Person, "token"> | undefined;
  /** Text, bytes and forms are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends requests and checks every response against the reference. */
export interface Client {
  send<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    options?: RequestOptions,
  ): Promise<ApiResponse<BodyOf<Method, Path>>>;
  get<Path extends string>(path: Path, as?: RequestOptions["as"]): Promise<ApiResponse<BodyOf<"GET", Path>>>;
  post<Path extends string>(
    path: Path,
    as: RequestOptions["as"],
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<BodyOf<"POST", Path>>>;
  put<Path extends string>(
    path: Path,
    as: RequestOptions["as"],
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<BodyOf<"PUT", Path>>>;
  delete<Path extends string>(path: Path, as?: RequestOptions["as"]): Promise<ApiResponse<BodyOf<"DELETE", Path>>>;
}

/** Takes a request to an app: the whole API, one group of it, or a server. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Makes a client.
 * @param fetch takes the requests
 * @param origin where they go, for those that go over the network
 */
export function clientOf(fetch: Fetch, origin = "http://nectar.test"): Client {
  async function send<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    { as, body, headers }: RequestOptions = {},
  ): Promise<ApiResponse<BodyOf<Method, Path>>> {
    const content = await encode(body);
    const response = await fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
          ...(content === null ? {} : { "content-type": content.type }),
          ...headers,
        },
        ...(content === null ? {} : { body: content.data }),
      }),
    );
    const text = await response.text();
    const parsed: unknown = text === "" ? null : JSON.parse(text);
    checkError(response.headers, parsed);
    checkAgainstReference(method, path, response.status, parsed);
    return { status: response.status, headers: response.headers, text, body: parsed };
  }
  return {
    send,
    get: (path, as) => send("GET", path, { as }),
    post: (path, as, body = {}, headers = {}) => send("POST", path, { as, body, headers }),
    put: (path, as, body = {}, headers = {}) => send("PUT", path, { as, body, headers }),
    delete: (path, as) => send("DELETE", path, { as }),
  };
}

/** Encodes a body beforehand: a form as a stream cannot be broken off, and a body that is too large is. */
async function encode(
  body: unknown,
): Promise<{ type: string; data: string | ArrayBuffer | Uint8Array<ArrayBuffer> } | null> {
  if (body === undefined) return null;
  if (body instanceof FormData) {
    const form = new Response(body);
    return { type: form.headers.get("content-type") ?? "", data: await form.arrayBuffer() };
  }
  const json = "application/json";
  if (typeof body === "string") return { type: json, data: body };
  if (body instanceof Uint8Array) return { type: json, data: new Uint8Array(body) };
  return { type: json, data: JSON.stringify(body) };
}
