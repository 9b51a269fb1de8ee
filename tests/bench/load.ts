import { Client } from "undici";
import { quantile, sized } from "./figures.ts";
import { pinLoad } from "./processes.ts";

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface LoadOptions {
  readonly connections: number;
  readonly until: { readonly seconds: number } | { readonly requests: number };
  /** The requests of a connection, which repeats them. */
  readonly requestsOf: (connection: number) => readonly LoadRequest[];
}

/** One measurement of a server. Latencies are in milliseconds. */
export interface Load {
  readonly responses: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses that are neither a success nor 304, and requests without a response. */
  readonly failures: number;
}

/** A request without a response after so long has failed. */
const TIMEOUT_MS = 60_000;

export function get(path: string, headers: LoadRequest["headers"] = {}): LoadRequest {
  return { method: "GET", path, headers };
}

export function post(path: string, body: object): LoadRequest {
  return { method: "POST", path, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** Reads a path again and again for some seconds. @param headers beside the token */
export function reading(
  origin: string,
  path: string,
  token: string,
  { connections = 1, seconds = 1 } = {},
  headers: LoadRequest["headers"] = {},
) {
  const request = get(path, { authorization: `Bearer ${token}`, ...headers });
  const until = { seconds: sized(seconds * 1_000, 200) / 1_000 };
  return load(origin, { connections, until, requestsOf: () => [request] });
}

/** Loads a server. @throws Error if a response is not a success */
export async function load(origin: string, options: LoadOptions): Promise<Load> {
  const loaded = await loadTolerantly(origin, options);
  if (loaded.failures > 0) throw new Error(`${loaded.failures} requests failed.`);
  return loaded;
}

/** The same, but counts failures. The last requests are waited for. */
export async function loadTolerantly(origin: string, { connections, until, requestsOf }: LoadOptions): Promise<Load> {
  const latencies: number[] = [];
  let failures = 0;
  let lastAt = 0;
  const unpin = pinLoad();
  const from = performance.now();

  async function send(client: Client, request: LoadRequest): Promise<void> {
    const sentAt = performance.now();
    try {
      const { statusCode, body } = await client.request(request);
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      lastAt = performance.now();
      latencies.push(lastAt - sentAt);
      if ((statusCode < 200 || statusCode > 299) && statusCode !== 304) failures += 1;
    } catch {
      failures += 1;
    }
  }

  async function keepSending(connection: number): Promise<void> {
    const requests = requestsOf(connection);
    const isDone = (sent: number) =>
      "seconds" in until
        ? performance.now() - from >= until.seconds * 1_000
        : sent >= Math.floor((until.requests + connection) / connections);
    const client = new Client(origin, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    for (let sent = 0; !isDone(sent); sent += 1) {
      const request = requests[sent % requests.length];
      if (request !== undefined) await send(client, request);
    }
    await client.close();
  }

  await Promise.all(Array.from({ length: connections }, (_, connection) => keepSending(connection))).finally(unpin);
  const responses = latencies.length;
  if (responses === 0) latencies.push(Number.POSITIVE_INFINITY);
  return {
    responses,
    requestsPerSecond: lastAt === 0 ? 0 : (responses / (lastAt - from)) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures,
  };
}
