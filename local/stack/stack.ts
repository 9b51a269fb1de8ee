import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { allowApiLogin } from "../database/api-login.ts";
import { removeLocalData } from "../database/data-folder.ts";
import { migrateLocally, openToRealtime } from "../database/local-migrations.ts";
import { startPostgres, stopLeftoverPostgres } from "../database/postgres.ts";
import { LOCAL_API_PASSWORD, LOCAL_DATABASE_PASSWORD } from "../settings/local-defaults.ts";
import { type Environment, type LocalSettings, PORT_VARIABLES } from "../settings/local-settings.ts";
import { startSupabase } from "../settings/supabase.ts";
import { isStoodIn, localVendors } from "../stand-ins/vendors.ts";
import { freePort, isPortInUse } from "../support/ports.ts";
import type { Progress } from "../support/progress.ts";
import { StartupProblem } from "../support/startup-problem.ts";
import { lockStack, readStackNote } from "./stack-lock.ts";
import { startStandIns } from "./start-stand-ins.ts";
import { startSupabaseFront } from "./supabase-front.ts";

/** Addresses of a running local stack. */
export interface Stack {
  /** Superuser connection URL of the database. */
  databaseUrl: string;
  /** Base URL for supabase-js. */
  supabaseUrl: string;
}

/**
 * Starts PostgreSQL, Supabase Lite and the stand-ins for vendors on the data folder and brings the database up to date.
 * Whatever is started is added to `shutdown` immediately, in case a later step fails.
 * @param outside the variables from outside: what they name needs no stand-in.
 * @param onEnded called when PostgreSQL or Supabase Lite ends by itself, while the stack is running.
 * @throws StartupProblem when the data or a port is in use, or a part does not come up.
 */
export async function startStack(
  settings: LocalSettings,
  outside: Environment,
  fresh: boolean,
  progress: Progress,
  shutdown: AsyncDisposableStack,
  onEnded: (problem: StartupProblem) => void,
): Promise<Stack> {
  const { dataFolder, keys } = settings;
  mkdirSync(dataFolder, { recursive: true });
  const lastRun = readStackNote(dataFolder);
  const release = lockStack(dataFolder, {
    apiUrl: `http://localhost:${settings.ports.api}`,
    supabaseUrl: `http://127.0.0.1:${settings.ports.supabase}`,
  });
  shutdown.defer(release);
  if (lastRun !== undefined) progress.note("The last run ended without stopping; its data is kept.");
  if (fresh) {
    await removeLocalData(dataFolder);
    progress.note(`Starting over: removed the data in ${dataFolder}.`);
  }
  await stopLeftoverPostgres(dataFolder);
  await refusePortsInUse(settings, outside);

  const postgres = await progress.step("PostgreSQL", () =>
    startPostgres({
      dataFolder,
      port: settings.ports.database,
      password: LOCAL_DATABASE_PASSWORD,
      durability: "durable",
    }),
  );
  shutdown.defer(postgres.stop);
  /** Reports a part that ends while the stack is running: without it, every request would fail. */
  const report = (name: string, { logFile }: { logFile: string }) => {
    if (shutdown.disposed) return;
    onEnded(
      new StartupProblem(
        `${name} has ended (see ${logFile}), so everything else is stopped too. The data is kept; start again to continue.`,
      ),
    );
  };
  const databaseUrl = postgres.urlOf("postgres");
  // A connection that is open all the time breaks when the server ends.
  const watch = new pg.Client({ connectionString: databaseUrl });
  watch.on("error", () => report("PostgreSQL", postgres));
  await watch.connect();
  shutdown.defer(() => watch.end());
  await progress.step("Migrations", async () => {
    await migrateLocally(databaseUrl);
    await allowApiLogin(databaseUrl, LOCAL_API_PASSWORD);
  });

  const lite = await progress.step("Supabase Lite (auth, storage)", async () =>
    startSupabase({ dataFolder, databaseUrl, keys, port: await freePort() }),
  );
  shutdown.defer(lite.stop);
  lite.ended.then(() => report("Supabase Lite", lite));
  const supabase = await progress.step("Realtime", async () => {
    await openToRealtime(databaseUrl);
    return startSupabaseFront({ port: settings.ports.supabase, liteUrl: lite.url, databaseUrl, keys });
  });
  shutdown.defer(supabase.stop);
  await progress.step("Stand-ins for vendors", () => startStandIns(settings, outside, shutdown));
  return { databaseUrl, supabaseUrl: supabase.url };
}

async function refusePortsInUse(settings: LocalSettings, outside: Environment): Promise<void> {
  const vendors = Object.values(localVendors(settings)).filter((vendor) => isStoodIn(vendor, outside));
  const parts = [
    { port: "api", name: "API" },
    { port: "supabase", name: "Supabase" },
    { port: "database", name: "PostgreSQL" },
    ...vendors,
  ] as const;
  const areFree = await Promise.all(parts.map(({ port }) => isPortFree(settings.ports[port])));
  const problems = parts
    .filter((_, index) => areFree[index] === false)
    .map(
      ({ port, name }) =>
        `Port ${settings.ports[port]} (${name}) is in use by another program: stop it or set ${PORT_VARIABLES[port]}.`,
    );
  if (problems.length > 0) throw new StartupProblem(problems.join("\n"));
}

/** Tries several times: the port of a process that has just ended may take an instant to become free. */
async function isPortFree(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (!(await isPortInUse(port))) return true;
    await sleep(100);
  }
  return false;
}
