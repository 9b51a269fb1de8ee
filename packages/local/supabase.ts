import { join, resolve } from "node:path";
import type { ProcessIdentity } from "./processes.ts";
import { type ServerPlan, type ServerProcess, startServer } from "./server-process.ts";
import { SUPABASE_CLI, type SupabaseKeys, supabaseEnvironment, supabaseProject } from "./supabase-project.ts";

/** What Supabase Lite works on. */
export interface SupabaseOptions {
  /** Folder for its logs, uploaded files and caches. Made when missing. */
  dataFolder: string;
  /** Superuser connection URL of the database with the auth and storage schemas. */
  databaseUrl: string;
  keys: SupabaseKeys;
}

/** A running Supabase Lite. */
export interface SupabaseServer extends ServerProcess {
  /** Base URL for supabase-js. */
  url: string;
}

/**
 * Starts Supabase Lite on 127.0.0.1 and waits until it responds. It applies no migrations.
 * @throws StartupProblem with the end of its log if it does not come up
 */
export async function startSupabase(
  options: SupabaseOptions & {
    port: number;
    /** Called as soon as the process has started, before it is ready. */
    onSpawn?: (identity: ProcessIdentity) => void;
  },
): Promise<SupabaseServer> {
  const url = `http://127.0.0.1:${options.port}`;
  const { publishableKey, secretKey } = options.keys;
  const server = await startServer({
    name: "Supabase Lite",
    command: await cliCommand(options, ["start", "--no-admin"], options.port, "supabase.log"),
    stopSignal: "SIGTERM",
    killSignal: "SIGKILL",
    startTimeoutMs: 30_000,
    stopTimeoutMs: 5_000,
    // The first call with the secret key makes Supabase Lite set up its row-level security. Of several such calls at once some
    // would be refused, so one is sent before it counts as ready.
    isReady: async () =>
      (await responds(`${url}/auth/v1/health`, publishableKey)) &&
      (await responds(`${url}/storage/v1/bucket`, secretKey)),
    onSpawn: options.onSpawn,
  });
  return { ...server, url };
}

async function cliCommand(
  { dataFolder, databaseUrl, keys }: SupabaseOptions,
  command: string[],
  port: number,
  logName: string,
): Promise<ServerPlan["command"]> {
  return [
    process.execPath,
    [SUPABASE_CLI, ...command],
    {
      cwd: await supabaseProject(dataFolder),
      env: supabaseEnvironment(databaseUrl, port, keys),
      logFile: join(resolve(dataFolder), "logs", logName),
    },
  ];
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
