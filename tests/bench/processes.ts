import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";

/** A server under measurement. */
export interface BenchServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server of a comparison in its own process and waits until it listens. */
export async function startServer(kind: "api" | "bare", environment: Record<string, string>): Promise<BenchServer> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./server.ts", import.meta.url)), kind], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const match = /port (\d+)/.exec(said);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once("exit", () => reject(new Error(`The ${kind} server did not start: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** One measurement of a server. */
export interface Load {
  readonly requestsPerSecond: number;
  /** Median latency in milliseconds. */
  readonly p50: number;
}

/** Loads a URL, by GET or by POST of a JSON body. @throws Error if a response is not a success */
export async function load(
  url: string,
  options: { connections: number; seconds: number; token?: string; post?: object },
): Promise<Load> {
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: options.connections,
        duration: options.seconds,
        ...(options.post === undefined ? {} : { method: "POST", body: JSON.stringify(options.post) }),
        headers: {
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...(options.post === undefined ? {} : { "content-type": "application/json" }),
        },
      },
      (error, outcome) => (error === null || error === undefined ? resolve(outcome) : reject(error)),
    );
    run.on("response", (_client, _status, _bytes, latency) => latencies.push(latency));
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} failed responses, ${result.errors} errors`);
  return { requestsPerSecond: result.requests.total / result.duration, p50: median(latencies) };
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("There is no median of nothing.");
  return middle;
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
