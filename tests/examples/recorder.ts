import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { SCHEDULES } from "#functions/schedules";
import type { Endpoint } from "#http/endpoint/endpoint";
import { stableId } from "#local/demo/rows";

/** What an operation was sent, and what it responded. */
export interface Example {
  readonly request?: unknown;
  readonly response: unknown;
}

/** A request of the tour. */
interface Call {
  /** The access token of the caller. */
  readonly token?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, or a form. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown instead of `body`, for what cannot be shown as it was sent. */
  readonly shownBody?: object;
}

/** Calls operations by their id, and keeps the first exchange of each. */
export interface Recorder {
  /** @returns the response's body. @throws Error for an unknown operation and for a refusal */
  call(id: string, call?: Call): Promise<unknown>;
  /** The examples of the operations that were called, in the order of their ids. */
  examples(): Record<string, Example>;
}

const MAX_ITEMS = 2;
const MAX_TEXT = 300;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const LOCAL_URL = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d+(\/[^?]*).*$/;

/**
 * Makes a recorder.
 * @param secrets the environment, with the secrets of the scheduled jobs
 */
export function recorderOf(
  endpoints: readonly Endpoint[],
  fetch: (request: Request) => Response | Promise<Response>,
  secrets: Readonly<Record<string, string>>,
): Recorder {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.definition.id, endpoint]));
  const recorded = new Map<string, Example>();
  return {
    async call(id, { token, params = {}, query = {}, body, headers, shownBody } = {}) {
      const endpoint = byId.get(id);
      if (endpoint === undefined) throw new Error(`There is no operation ${id}.`);
      const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? `:${name}`);
      const secret = SCHEDULES.find((schedule) => schedule.path === endpoint.path)?.secret;
      const isForm = body instanceof FormData;
      const response = await fetch(
        new Request(`http://nectar.invalid${path}?${new URLSearchParams(query)}`, {
          method: endpoint.method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(secret === undefined ? {} : { "x-cron-secret": secrets[secret] ?? "" }),
            ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        }),
      );
      const isText = /^(text\/html|image\/svg\+xml)/.test(response.headers.get("content-type") ?? "");
      const received: unknown = isText ? await response.text() : await response.json();
      if (!response.ok) throw new Error(`${id} responded with ${response.status}: ${JSON.stringify(received)}`);
      const request = shownBody ?? body;
      if (!recorded.has(id)) {
        const takesBody = endpoint.definition.body !== undefined;
        recorded.set(id, { ...(takesBody && request !== undefined ? { request } : {}), response: received });
      }
      return received;
    },
    examples() {
      const ids = new Map<string, string>();
      const sorted = [...recorded].toSorted(([one], [other]) => one.localeCompare(other));
      return z
        .record(z.string(), z.object({ request: z.unknown().optional(), response: z.unknown() }))
        .parse(presentable(Object.fromEntries(sorted), ids));
    },
  };
}

/**
 * Makes a recorded value fit to be shown and to be compared with the last recording: long lists and texts are cut, addresses
 * of this machine become addresses of an example, and random ids become the same ones in every recording.
 */
function presentable(value: unknown, ids: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => presentable(item, ids));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, presentable(child, ids)]));
  }
  if (typeof value !== "string") return value;
  const text = value.replace(LOCAL_URL, "https://files.example.test$1").replaceAll(UUID, (id) => {
    const known = ids.get(id) ?? stableId(`example ${ids.size + 1}`);
    ids.set(id, known);
    return known;
  });
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}

/** Texts that are others in every recording: dates and times, ids, cursors, hashes, tokens and their ends. */
const VARYING = /\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|\b\d{2}:\d{2}\b|[\w-]{20,}|\d{10,}/g;
const VARYING_FIELDS = ["hint"];

/**
 * Whether two examples say the same: the same request, and a response with the same fields and texts. Numbers, texts that
 * are others in every recording, and the rows with which a list begins may differ: they depend on the time and on chance.
 */
export function saysTheSame(one: Partial<Example> | undefined, other: Partial<Example> | undefined): boolean {
  return steady(one?.request) === steady(other?.request) && isLike(one?.response, other?.response, false);
}

function steady(request: unknown): string {
  return JSON.stringify(request ?? null).replaceAll(VARYING, "");
}

function isLike(one: unknown, other: unknown, isInList: boolean): boolean {
  if (isInList && (one === null || other === null)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length === 0 || other.length === 0) return isInList || one.length === other.length;
    return isLike(one[0], other[0], true);
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      isDeepStrictEqual(names.toSorted(), Object.keys(other).toSorted()) &&
      names.every((name) => VARYING_FIELDS.includes(name) || isLike(one[name], other[name], isInList))
    );
  }
  if (typeof one !== "string" || typeof other !== "string")
    return (one === null) === (other === null) && typeof one === typeof other;
  return isInList || one.replaceAll(VARYING, "") === other.replaceAll(VARYING, "");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a string inside a response, such as `goal.id` or `goals.0.id`. @throws Error if there is none */
export function textAt(value: unknown, path: string): string {
  let current = value;
  for (const key of path.split(".")) {
    current =
      typeof current === "object" && current !== null
        ? Object.entries(current).find(([name]) => name === key)?.[1]
        : undefined;
  }
  if (typeof current !== "string") throw new Error(`There is no text at ${path}.`);
  return current;
}
