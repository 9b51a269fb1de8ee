import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFileStore } from "#local/stand-ins/file-store";

/** A server under measurement, ended with `await using`. */
export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
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

/** The path of a module of this folder. */
export function pathOf(module: `./${string}.ts`): string {
  return fileURLToPath(new URL(module, import.meta.url));
}

/**
 * Starts a server of a comparison in its own process and waits until it listens.
 * @param preload a module of this folder that is loaded before it
 */
export async function startServer(
  kind: "api" | "bare" | "one table",
  environment: Record<string, string>,
  preload?: `./${string}.ts`,
): Promise<BenchServer> {
  const preloading = preload === undefined ? [] : ["--import", pathOf(preload)];
  const node = [process.execPath, ...preloading, pathOf("./server.ts"), kind];
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
    async [Symbol.asyncDispose]() {
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

/** Keeps this process on the processor of the load generator. @returns what ends that */
export function pinLoad(): () => void {
  if (PROCESSORS === null) return () => undefined;
  const { load, all } = PROCESSORS;
  const pin = (processors: string) =>
    execFileSync("taskset", ["-a", "-c", "-p", processors, String(process.pid)], { stdio: "ignore" });
  pin(load);
  return () => pin(all);
}

/** A file store in a temporary folder, ended and removed with `await using`, and the variables that name it. */
export async function temporaryFileStore() {
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-"));
  // A deployed function refuses the published key of `npm run dev`.
  const store = await startFileStore({ folder, accessKey: "the-key-of-the-benchmark" });
  return {
    environment: {
      S3_BUCKET: store.bucket,
      S3_ENDPOINT: store.url,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
    async [Symbol.asyncDispose]() {
      await store.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
