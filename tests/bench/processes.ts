import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";

/** A server under measurement. */
export interface BenchServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The processors of servers and of the load generator, so that neither moves about; null where they cannot be pinned. */
const PROCESSORS = canPin() ? { load: "0", server: "1", all: `0-${availableParallelism() - 1}` } : null;

function canPin(): boolean {
  try {
    execFileSync("taskset", ["-V"]);
    return availableParallelism() > 1;
  } catch {
    return false;
  }
}

/**
 * Starts a server of a comparison in its own process and waits until it listens.
 * @param preload a module of this folder that is loaded before it
 */
export async function startServer(
  kind: "api" | "bare",
  environment: Record<string, string>,
  preload?: `./${string}.ts`,
): Promise<BenchServer> {
  const pathOf = (module: string) => fileURLToPath(new URL(module, import.meta.url));
  const node = [
    process.execPath,
    ...(preload === undefined ? [] : ["--import", pathOf(preload)]),
    pathOf("./server.ts"),
    kind,
  ];
  const [command = "", ...flags] = PROCESSORS === null ? node : ["taskset", "-c", PROCESSORS.server, ...node];
  const child = spawn(command, flags, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await portOf(child, kind);
  // Why it ended, if it does.
  child.stderr.pipe(process.stderr);
  return {
    url: `http://127.0.0.1:${port}`,
    // taskset replaces itself by the command.
    pid: child.pid ?? Number.NaN,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

function portOf(child: ChildProcess, kind: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const match = /port (\d+)/.exec(said);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once("exit", () => reject(new Error(`The ${kind} server did not start: ${said}`)));
  });
}

/** What to send to a server. */
export interface LoadOptions {
  readonly connections: number;
  /** For how long to send, or how many requests. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
  readonly token?: string;
  readonly post?: object;
  /** The requests of a connection, which repeats them; by default the URL itself. */
  readonly requestsOf?: (connection: number) => autocannon.Request[];
}

/** One measurement of a server. Latencies are in milliseconds. */
export interface Load {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses that are no success, and requests without a response. */
  readonly failures: number;
}

/** Loads a URL, by GET or by POST of a JSON body. @throws Error if a response is not a success */
export async function load(url: string, options: LoadOptions): Promise<Load> {
  const loaded = await loadTolerantly(url, options);
  if (loaded.failures > 0) throw new Error(`${url}: ${loaded.failures} requests failed.`);
  return loaded;
}

/** The same, but counts failures. */
export async function loadTolerantly(url: string, options: LoadOptions): Promise<Load> {
  const { connections, until, token, post, requestsOf } = options;
  const latencies: number[] = [];
  let connection = 0;
  let lastAt = 0;
  pinThisProcess(PROCESSORS?.load);
  const from = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        ...("seconds" in until ? { duration: until.seconds } : { amount: until.requests }),
        ...(post === undefined ? {} : { method: "POST", body: JSON.stringify(post) }),
        ...(requestsOf === undefined
          ? {}
          : { setupClient: (client: autocannon.Client) => client.setRequests(requestsOf(connection++)) }),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(post === undefined ? {} : { "content-type": "application/json" }),
        },
      },
      (error, outcome) => (error === null || error === undefined ? resolve(outcome) : reject(error)),
    );
    run.on("response", (_client, _status, _bytes, latency) => {
      latencies.push(latency);
      lastAt = performance.now();
    });
  }).finally(() => pinThisProcess(PROCESSORS?.all));
  // A list may be so slow that there is no response in time.
  if (latencies.length === 0) latencies.push(Number.POSITIVE_INFINITY);
  return {
    requestsPerSecond: lastAt === 0 ? 0 : (latencies.length / (lastAt - from)) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures: result.non2xx + result.errors,
  };
}

function pinThisProcess(processors: string | undefined): void {
  if (processors !== undefined) execFileSync("taskset", ["-a", "-c", "-p", processors, String(process.pid)]);
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share between 0 and 1: 0.5 gives the median */
function quantile(values: readonly number[], share: number): number {
  const value = values.toSorted((left, right) => left - right)[Math.floor(values.length * share)];
  if (value === undefined) throw new Error("There is no quantile of nothing.");
  return value;
}

/** Alternates between the sides, so that other load on the machine affects them equally. The first round only warms up. */
export async function alternate<Result>(
  rounds: number,
  sides: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results: Result[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const result = await side();
      if (round > 0) results[index]?.push(result);
    }
  }
  return results;
}

/** The median of the ratios of two sides that alternated. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
}
