import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

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

/**
 * Runs Node.js until it ends.
 * @param args a script and its arguments
 * @returns the last line that it printed, after its log
 */
export async function outputOf(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`A measured process ended with ${String(code)}: ${said.slice(-1_000)}`);
  return said.trimEnd().split("\n").at(-1) ?? "";
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

/** Keeps this process on the processor of the load generator. @returns what ends that */
export function pinLoad(): () => void {
  if (PROCESSORS === null) return () => undefined;
  const { load, all } = PROCESSORS;
  const pin = (processors: string) =>
    execFileSync("taskset", ["-a", "-c", "-p", processors, String(process.pid)], { stdio: "ignore" });
  pin(load);
  return () => pin(all);
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A quantile of some numbers. @param share between 0 and 1: 0.5 gives the median */
export function quantile(values: readonly number[], share: number): number {
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
