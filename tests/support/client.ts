import assert from "node:assert/strict";
import * as z from "zod";
import type { ErrorCode } from "#core/errors";
import type { Person } from "./people.ts";
import { checkAgainstReference, checkError } from "./reference-check.ts";
import type { BodyOf, Problem } from "./response-body.ts";

/** A response of the API, its body parsed. */
export interface ApiResponse<Body = Problem> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly text: string;
  /** The parsed JSON body, or the text of another one; null if there is none. */
  readonly body: Body;
}

/** A response that has been asked for, and what a test may expect of it. */
export interface Pending<Body> extends Promise<ApiResponse<Body>> {
  /** Expects 200. @returns the body */
  ok(): Promise<Body>;
  /** Expects 201. @returns the body */
  created(): Promise<Body>;
  /** Expects an error. @returns its body */
  refused(status: number, code?: ErrorCode): Promise<Problem>;
  /** Expects 400 because of exactly these fields, in any order. @returns its body */
  invalid(...fields: readonly string[]): Promise<Problem>;
}

/** The parts of a request beyond its method and path. */
export interface RequestOptions {
  /** The sender; without one the request has no token. */
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
  ): Pending<BodyOf<Method, Path>>;
  get<Path extends string>(path: Path, as?: RequestOptions["as"]): Pending<BodyOf<"GET", Path>>;
  post<Path extends string>(
    path: Path,
    as: RequestOptions["as"],
    body?: unknown,
    headers?: Record<string, string>,
  ): Pending<BodyOf<"POST", Path>>;
  put<Path extends string>(
    path: Path,
    as: RequestOptions["as"],
    body?: unknown,
    headers?: Record<string, string>,
  ): Pending<BodyOf<"PUT", Path>>;
  delete<Path extends string>(path: Path, as?: RequestOptions["as"]): Pending<BodyOf<"DELETE", Path>>;
  /** The errors that no test expected or read since the last call. */
  unexpected(): string[];
}

/** Takes a request to an app: the whole API, one group of it, or a server. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Makes a client.
 * @param fetch takes the requests
 * @param origin where they go, for those that go over the network
 */
export function clientOf(fetch: Fetch, origin = "http://nectar.test"): Client {
  const unread = new Set<string>();
  async function request<Method extends string, Path extends string>(
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
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "application/json";
    const parsed: unknown = text === "" ? null : mediaType === "application/json" ? JSON.parse(text) : text;
    checkError(response.headers, parsed);
    checkAgainstReference(method, path, response.status, parsed, mediaType, response.headers);
    const answer = { status: response.status, headers: response.headers, text, body: parsed };
    if (response.status < 400) return answer;
    const error = `${method} ${path} responded with ${response.status}: ${text}`;
    unread.add(error);
    const noting = readNoting(answer, () => unread.delete(error));
    if (Coded.safeParse(parsed).data?.code === "route.not_found") notInReference.add(noting);
    return noting;
  }
  const send: Client["send"] = (method, path, options) => pending(request(method, path, options));
  const ask: Client["send"] = (method, path, options) => inReference(send(method, path, options));
  return {
    send,
    get: (path, as) => ask("GET", path, { as }),
    post: (path, as, body = {}, headers = {}) => ask("POST", path, { as, body, headers }),
    put: (path, as, body = {}, headers = {}) => ask("PUT", path, { as, body, headers }),
    delete: (path, as) => ask("DELETE", path, { as }),
    unexpected() {
      const errors = [...unread];
      unread.clear();
      return errors;
    },
  };
}

/** The responses to paths that the API does not have. */
const notInReference = new WeakSet<object>();
const Coded = z.object({ code: z.string() });

/** A response that says when a test reads anything of it. */
function readNoting<Body>(response: ApiResponse<Body>, note: () => void): ApiResponse<Body> {
  return new Proxy(response, {
    get(target, name) {
      // A promise looks for `then` on whatever it resolves to.
      if (name !== "then") note();
      return Reflect.get(target, name);
    },
  });
}

/** Refuses a path that is not in the reference, unless exactly that is expected: it is a typing error, or not generated. */
function inReference<Body extends Problem>(response: Pending<Body>): Pending<Body> {
  const known = response.then((answer) => {
    if (notInReference.has(answer)) {
      throw new Error("This path is not in the reference: correct it, or run `npm run generate`.");
    }
    return answer;
  });
  known.catch(() => undefined);
  return Object.assign(known, {
    ok: response.ok,
    created: response.created,
    invalid: response.invalid,
    refused: async (status: number, code?: ErrorCode) =>
      code === "route.not_found" ? response.refused(status, code) : known.then(() => response.refused(status, code)),
  });
}

function pending<Body extends Problem>(response: Promise<ApiResponse<Body>>): Pending<Body> {
  async function bodyWith(expected: number): Promise<Body> {
    const { status, body } = await response;
    assert.deepEqual({ status, body }, { status: expected, body });
    return body;
  }
  async function refused(status: number, code?: ErrorCode): Promise<Body> {
    const body = await bodyWith(status);
    if (code !== undefined) assert.equal(body.code, code);
    return body;
  }
  return Object.assign(response, {
    ok: () => bodyWith(200),
    created: () => bodyWith(201),
    refused,
    async invalid(...fields: readonly string[]) {
      const body = await refused(400, "request.invalid");
      assert.deepEqual(body.issues.map(({ path }) => path).toSorted(), fields.toSorted());
      return body;
    },
  });
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
