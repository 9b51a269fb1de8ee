import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { removePostgres } from "#local/database/postgres";
import { PORT_VARIABLES } from "#local/settings/local-settings";
import { freePort } from "#local/support/ports";

const DAY_MS = 24 * 60 * 60 * 1_000;
const here = dirname(fileURLToPath(import.meta.url));

/** The folder, ports and addresses of a local stack under test. */
export interface TestStack {
  folder: string;
  apiUrl: string;
  supabaseUrl: string;
  /** The variables that start the stack there. */
  environment: Record<string, string>;
  remove(): Promise<void>;
}

/** A local stack with a new folder and free ports; it is not started yet. */
export async function newTestStack(): Promise<TestStack> {
  const folder = mkdtempSync(join(tmpdir(), "nectar-dev-test-"));
  await chmod(folder, 0o711);
  const environment: Record<string, string> = { LOCAL_DATA_DIR: folder };
  for (const variable of Object.values(PORT_VARIABLES)) environment[variable] = String(await freePort());
  return {
    folder,
    apiUrl: `http://127.0.0.1:${environment.PORT}`,
    supabaseUrl: `http://127.0.0.1:${environment.LOCAL_SUPABASE_PORT}`,
    environment,
    remove: async () => {
      await removePostgres(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A started program and what it has printed so far. */
export interface Started {
  child: ChildProcess;
  output(): string;
  /** Resolves when the program has ended: its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts a TypeScript program of this repository under Node, without any variable of the surrounding test run. */
export function startProgram(file: string, args: string[], environment: Record<string, string>): Started {
  return startCommand(process.execPath, [resolve(here, file), ...args], environment);
}

/** Starts the local stack as npm does: a shell stands in between, and is what gets npm's signals. */
export function startDevAsNpmScript(stack: TestStack): Started {
  const command = `"${process.execPath}" "${resolve(here, "dev-fixture.ts")}"; true`;
  return startCommand("sh", ["-c", command], { ...stack.environment, npm_lifecycle_event: "dev" });
}

function startCommand(program: string, args: string[], environment: Record<string, string>): Started {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  }
  const ended = once(child, "close").then(() => child.exitCode ?? child.signalCode);
  return { child, output: () => chunks.join(""), ended };
}

/** Runs a program to its end. */
export async function runProgram(file: string, args: string[], environment: Record<string, string>) {
  const started = startProgram(file, args, environment);
  return { code: await started.ended, output: started.output() };
}

/** Starts the local stack around the fixture's API and waits until it says that it is ready. */
export async function startDev(stack: TestStack, args: string[] = [], extra: Record<string, string> = {}) {
  const started = startProgram("dev-fixture.ts", args, { ...stack.environment, ...extra });
  await untilReady(started);
  return started;
}

/** Resolves once a started stack has said that it is ready; rejects with its output when it ends instead. */
export async function untilReady(started: Started): Promise<void> {
  await new Promise<void>((resolveReady, reject) => {
    started.child.stdout?.on("data", () => {
      if (started.output().includes("Ready after")) resolveReady();
    });
    started.ended.then((code) => reject(new Error(`The stack ended with ${code}:\n${started.output()}`)));
  });
}

/** Waits for the next UTC day if this one ends within 90 seconds: the pages and the demo data show the day of the clock. */
export async function untilDayHasTime(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 90_000) await sleep(left + 1);
}

/** Creates an account at the local Supabase, as any client does. */
export async function signUp(stack: TestStack, email: string, password: string): Promise<void> {
  const response = await fetch(`${stack.supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: "sb_publishable_nectar_local", "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Sign-up failed with status ${response.status}.`);
}

/** Runs `npm run token` with these arguments. */
export function runToken(stack: TestStack, args: string[]) {
  return runProgram("../../local/token-cli.ts", args, stack.environment);
}

/** The access token of an account; those of the demo data without a published password have `nectar-demo`. */
export async function tokenOf(stack: TestStack, email: string, password?: string): Promise<string> {
  const { code, output } = await runToken(stack, [email, ...(password === undefined ? [] : ["--password", password])]);
  if (code !== 0) throw new Error(`There is no token for ${email}:\n${output}`);
  return output.trim();
}
