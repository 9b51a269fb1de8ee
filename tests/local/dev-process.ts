import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@nectar/local/ports";
import { removeCluster } from "@nectar/local/postgres-location";

const here = dirname(fileURLToPath(import.meta.url));

/** Where one local stack under test runs. */
export interface StackPlace {
  folder: string;
  apiUrl: string;
  supabaseUrl: string;
  /** The variables that put the stack there. */
  environment: Record<string, string>;
  remove(): void;
}

/** A folder and ports of its own. */
export async function stackPlace(): Promise<StackPlace> {
  const folder = mkdtempSync(join(tmpdir(), "nectar-dev-test-"));
  await chmod(folder, 0o711);
  const [api, supabase, database] = [await freePort(), await freePort(), await freePort()];
  const [files, model, payments] = [await freePort(), await freePort(), await freePort()];
  const [mail, push] = [await freePort(), await freePort()];
  return {
    folder,
    apiUrl: `http://127.0.0.1:${api}`,
    supabaseUrl: `http://127.0.0.1:${supabase}`,
    environment: {
      LOCAL_DATA_DIR: folder,
      PORT: String(api),
      LOCAL_SUPABASE_PORT: String(supabase),
      LOCAL_DB_PORT: String(database),
      LOCAL_S3_PORT: String(files),
      LOCAL_AI_PORT: String(model),
      LOCAL_PAYMENTS_PORT: String(payments),
      LOCAL_MAIL_PORT: String(mail),
      LOCAL_PUSH_PORT: String(push),
    },
    remove: () => {
      removeCluster(folder);
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
export function startDevAsNpmScript(place: StackPlace): Started {
  const command = `"${process.execPath}" "${resolve(here, "dev-fixture.ts")}"; true`;
  return startCommand("sh", ["-c", command], { ...place.environment, npm_lifecycle_event: "dev" });
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
export async function startDev(place: StackPlace, args: string[] = [], extra: Record<string, string> = {}) {
  const started = startProgram("dev-fixture.ts", args, { ...place.environment, ...extra });
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

/** Creates an account at the local Supabase, as any client does. */
export async function signUp(place: StackPlace, email: string, password: string): Promise<void> {
  const response = await fetch(`${place.supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: "sb_publishable_nectar_local", "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Sign-up failed with status ${response.status}.`);
}

/** Runs `npm run token` for an account. */
export function token(place: StackPlace, args: string[]) {
  return runProgram("../../packages/local/token-cli.ts", args, place.environment);
}
