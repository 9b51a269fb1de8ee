import * as z from "zod";
import { SCHEDULES } from "#functions/schedules";
import type { Endpoint } from "#http/endpoint/endpoint";
import { stableId } from "#local/demo/rows";

interface Example {
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

/** Whether two examples differ in nothing but ids, dates and times, which are others in every recording. */
export function saysTheSame(one: unknown, other: unknown): boolean {
  return withoutMoments(one) === withoutMoments(other);
}

function withoutMoments(example: unknown): string {
  return JSON.stringify(example ?? null)
    .replaceAll(UUID, "id")
    .replaceAll(/\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?/g, "day");
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
