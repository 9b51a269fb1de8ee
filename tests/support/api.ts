import { readConfig } from "@nectar/config/config";
import type { Database } from "@nectar/database/database";
import { createLogger } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { servicesFor } from "@nectar/http/services-for";
import { afterAll, beforeAll } from "vitest";
import { routeToGroups } from "../../functions/all.ts";
import { useDatabase } from "./database.ts";
import { type Person, type PersonOptions, signUp, TEST_JWT_SECRET } from "./people.ts";
import { checkAgainstReference, checkError } from "./reference-check.ts";

/** An answer of the API, its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; tests read it freely and compare what they read. */
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, checked against the reference before a test sees it.
  readonly body: any;
}

/** How a request differs from the usual one. */
export interface RequestOptions {
  readonly as?: Person | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The API of one test file, over a database of its own. */
export interface TestApi {
  readonly adminUrl: string;
  readonly apiUrl: string;
  readonly database: Database;
  readonly services: Services;
  /** Everything that was logged so far. */
  readonly logged: () => string;
  person(options?: PersonOptions): Promise<Person>;
  /** Sends a request and holds the answer against the reference. */
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, as?: Person): Promise<Answer>;
  post(path: string, as: Person | undefined, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, as: Person | undefined, body?: unknown): Promise<Answer>;
  delete(path: string, as?: Person): Promise<Answer>;
}

/**
 * Gives the calling test file all groups over a fresh database; nothing is mocked but the addresses.
 * @param environment variables that differ from the usual ones of tests
 */
export function useApi(environment: Record<string, string> = {}): TestApi {
  const urls = useDatabase();
  const lines: string[] = [];
  let running: { services: Services; fetch: ReturnType<typeof routeToGroups> } | undefined;
  beforeAll(() => {
    const config = readConfig({
      DATABASE_URL: urls.apiUrl,
      DATABASE_POOL_SIZE: "10",
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
      SUPABASE_JWT_ISSUER: "none",
      ...environment,
    });
    const services = servicesFor(config, {
      logger: createLogger("info", { write: (line) => void lines.push(line) }),
    });
    running = { services, fetch: routeToGroups(services) };
  });
  afterAll(() => running?.services.database.close());
  const api = () => {
    if (running === undefined) throw new Error("The API exists only inside hooks and tests.");
    return running;
  };

  async function send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const hasBody = options.body !== undefined;
    const raw = typeof options.body === "string" || options.body instanceof Uint8Array;
    const response = await api().fetch(
      new Request(`http://nectar.test${path}`, {
        method,
        headers: {
          ...(options.as === undefined ? {} : { authorization: `Bearer ${options.as.token}` }),
          ...(hasBody ? { "content-type": "application/json" } : {}),
          ...options.headers,
        },
        ...(hasBody
          ? { body: raw ? (options.body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(options.body) }
          : {}),
      }),
    );
    const text = await response.text();
    const body: unknown = text === "" ? null : JSON.parse(text);
    checkAgainstReference(method, new URL(path, "http://nectar.test").pathname, response.status, body);
    checkError(response.headers, body);
    return { status: response.status, headers: response.headers, body };
  }

  return {
    get adminUrl() {
      return urls.adminUrl;
    },
    get apiUrl() {
      return urls.apiUrl;
    },
    get services() {
      return api().services;
    },
    get database() {
      return api().services.database;
    },
    logged: () => lines.join(""),
    person: (options) => signUp(urls.adminUrl, options),
    send,
    get: (path, as) => send("GET", path, { as }),
    post: (path, as, body = {}, headers = {}) => send("POST", path, { as, body, headers }),
    put: (path, as, body = {}) => send("PUT", path, { as, body }),
    delete: (path, as) => send("DELETE", path, { as }),
  };
}
