import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LoggedChild, logTail, startChild } from "./child.ts";
import { hasPendingMigrations } from "./pending-migrations.ts";
import { type ProcessIdentity, signalProcess, stopProcess } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";
import { type SupabaseKeys, supabaseCli, supabaseEnvironment, supabaseProject } from "./supabase-project.ts";

/** What Supabase Lite works on. */
export interface SupabaseOptions {
  /** Folder for its logs, uploaded files and caches. Made when missing. */
  dataFolder: string;
  /** Superuser connection URL of the database that holds the auth and storage schemas. */
  databaseUrl: string;
  keys: SupabaseKeys;
}

/** A running Supabase Lite. */
export interface SupabaseServer {
  /** Base URL for supabase-js. */
  url: string;
  identity: ProcessIdentity;
  logFile: string;
  /** Ends it gracefully. Safe to call twice. */
  stop(): Promise<void>;
  /** Ends it at once, without waiting for it. */
  kill(): void;
  /** Resolves when it has ended for whatever reason. */
  exit: Promise<number | null>;
}

const readyPatienceMs = 30_000;
const stopPatienceMs = 5_000;

/**
 * Brings the database up to date: creates Supabase's own schemas (auth, storage) when they are missing, then applies the
 * pending files of supabase/migrations in order. When none is pending this takes a few milliseconds.
 * @throws StartupProblem with the end of the log when a migration fails.
 */
export async function migrate(options: SupabaseOptions): Promise<void> {
  if (!(await hasPendingMigrations(options.databaseUrl))) return;
  const child = await runCli(options, ["migration", "up"], 0, "migrate.log");
  const code = await child.exit;
  if (code !== 0)
    throw new StartupProblem(`The migrations could not be applied (${child.logFile}):\n${logTail(child.logFile)}`);
}

/**
 * Starts Supabase Lite on 127.0.0.1 and waits until it responds. It applies no migrations.
 * @throws StartupProblem with the end of its log when it does not come up.
 */
export async function startSupabase(
  options: SupabaseOptions & {
    port: number;
    /** Called as soon as the process has started, long before it is ready. */
    onSpawn?: (identity: ProcessIdentity) => void;
  },
): Promise<SupabaseServer> {
  const child = await runCli(options, ["start", "--no-admin"], options.port, "supabase.log");
  options.onSpawn?.(child.identity);
  const url = `http://127.0.0.1:${options.port}`;
  const stop = () => stopProcess(child.identity, "SIGTERM", stopPatienceMs);
  try {
    await waitUntilReady(child, url, options.keys.publishableKey);
    await listBuckets(url, options.keys.secretKey);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    identity: child.identity,
    logFile: child.logFile,
    stop,
    kill: () => {
      signalProcess(child.identity, "SIGKILL");
    },
    exit: child.exit,
  };
}

async function runCli(
  options: SupabaseOptions,
  command: string[],
  port: number,
  logName: string,
): Promise<LoggedChild> {
  return startChild(process.execPath, [supabaseCli, ...command], {
    cwd: await supabaseProject(options.dataFolder),
    env: supabaseEnvironment(options.databaseUrl, port, options.keys),
    logFile: join(resolve(options.dataFolder), "logs", logName),
  });
}

async function waitUntilReady(child: LoggedChild, url: string, publishableKey: string): Promise<void> {
  const deadline = Date.now() + readyPatienceMs;
  for (;;) {
    if (child.hasExited())
      throw new StartupProblem(`Supabase Lite ended while it was starting:\n${logTail(child.logFile)}`);
    if (await answers(url, publishableKey)) return;
    if (Date.now() > deadline) {
      throw new StartupProblem(
        `Supabase Lite is not ready after ${readyPatienceMs / 1000} s:\n${logTail(child.logFile)}`,
      );
    }
    await sleep(25);
  }
}

/**
 * The first call with the secret key makes Supabase Lite set up its row-level security; of several that come first
 * together some are refused, so one is sent ahead.
 */
async function listBuckets(url: string, secretKey: string): Promise<void> {
  const response = await fetch(`${url}/storage/v1/bucket`, {
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(readyPatienceMs),
  });
  await response.text();
}

async function answers(url: string, publishableKey: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/auth/v1/health`, {
      headers: { apikey: publishableKey },
      signal: AbortSignal.timeout(2_000),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
