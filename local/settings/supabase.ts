import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, mkdirSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installedPackage } from "../support/installed-package.ts";
import { logTail, StartupProblem } from "../support/startup-problem.ts";

/** The API keys of the local Supabase, and the key that it signs access tokens with. */
export interface SupabaseKeys {
  /** For clients; public. */
  publishableKey: string;
  /** For the service; bypasses row-level security. */
  secretKey: string;
  /** Signs access tokens (HS256). At least 32 characters. */
  jwtSecret: string;
}

/** The folder, the database and the keys of Supabase Lite. */
export interface SupabaseOptions {
  /** Folder for its log, uploaded files and caches. Made when missing. */
  dataFolder: string;
  /** Superuser connection URL of the database with the auth and storage schemas. */
  databaseUrl: string;
  keys: SupabaseKeys;
  port: number;
}

/** A running Supabase Lite. It also ends when this process ends, however that happens. */
export interface SupabaseServer {
  /** Base URL for supabase-js. */
  url: string;
  pid: number;
  logFile: string;
  /** Resolves when it has ended. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

const REPOSITORY = resolve(import.meta.dirname, "../..");
const CLI = join(installedPackage("@supabase/lite"), "dist", "cli", "index.js");
/** Loaded into its process, whose channel to this one the system closes when this one ends. */
const END_WITH_PARENT =
  "data:text/javascript,process.once('disconnect', () => process.exit()); process.channel.unref()";
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts Supabase Lite on 127.0.0.1 and waits until it responds. It applies no migrations.
 * @throws StartupProblem with the end of its log if it does not come up
 */
export async function startSupabase(options: SupabaseOptions): Promise<SupabaseServer> {
  const { dataFolder, port, keys } = options;
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(resolve(dataFolder), "logs", "supabase.log");
  mkdirSync(join(logFile, ".."), { recursive: true });
  const log = openSync(logFile, "w", 0o600);
  // In a session of its own, so that Ctrl-C in the terminal reaches only this process.
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, CLI, "start", "--no-admin"], {
    cwd: supabaseProject(dataFolder),
    env: supabaseEnvironment(options),
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const ended = once(child, "exit");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (hasEnded()) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    child.kill();
    await ended;
    clearTimeout(timer);
  };
  // The first call with the secret key makes Supabase Lite set up its row-level security. Of several such calls at once some
  // would be refused, so one is sent before it counts as ready.
  const isReady = async () =>
    (await responds(`${url}/auth/v1/health`, keys.publishableKey)) &&
    (await responds(`${url}/storage/v1/bucket`, keys.secretKey));
  for (const deadline = Date.now() + START_TIMEOUT_MS; !(await isReady()); await sleep(25)) {
    if (!hasEnded() && Date.now() < deadline) continue;
    const problem = hasEnded() ? "ended while it was starting" : `is not ready after ${START_TIMEOUT_MS / 1_000} s`;
    await stop();
    throw new StartupProblem(`Supabase Lite ${problem}:\n${logTail(logFile)}`);
  }
  return { url, pid: child.pid ?? 0, logFile, ended, stop };
}

/** Supabase Lite stores uploaded files and caches beside its configuration, so it gets a copy of that of the repository. */
function supabaseProject(dataFolder: string): string {
  const project = join(resolve(dataFolder), "supabase-lite");
  mkdirSync(join(project, "supabase"), { recursive: true });
  copyFileSync(join(REPOSITORY, "supabase", "config.toml"), join(project, "supabase", "config.toml"));
  return project;
}

/** The variables that Supabase Lite and its configuration file read. */
function supabaseEnvironment({ databaseUrl, port, keys }: SupabaseOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TZ: "UTC",
    NO_COLOR: "1",
    LITE_TELEMETRY: "0",
    DO_NOT_TRACK: "1",
    EXPERIMENTAL_STORAGE: "1",
    LOCAL_DATABASE_URL: databaseUrl,
    LOCAL_SUPABASE_PORT: String(port),
    SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEY: keys.secretKey,
    SUPABASE_JWT_SECRET: keys.jwtSecret,
  };
}

async function responds(url: string, key: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
