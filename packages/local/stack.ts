import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { allowApiLogin } from "./api-login.ts";
import { removeLocalData } from "./data-folder.ts";
import { startGuard } from "./guard.ts";
import { LOCAL_API_PASSWORD, LOCAL_DATABASE_PASSWORD } from "./local-defaults.ts";
import { migrateLocally } from "./local-migrations.ts";
import { type Environment, type LocalSettings, PORT_VARIABLES } from "./local-settings.ts";
import { isPortInUse } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import { postgresAccount } from "./postgres-account.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { locateCluster } from "./postgres-location.ts";
import { isRunning, stopProcess } from "./processes.ts";
import type { Progress } from "./progress.ts";
import type { ShutdownPlan } from "./shutdown-plan.ts";
import { takeStackLock } from "./stack-lock.ts";
import { startStandIns } from "./stand-ins/start.ts";
import { isStoodIn, localVendors } from "./stand-ins/vendors.ts";
import { StartupProblem } from "./startup-problem.ts";
import { startSupabase } from "./supabase.ts";

/** Addresses of a running local stack. */
export interface Stack {
  /** Superuser connection URL of the database. */
  databaseUrl: string;
  /** Base URL for supabase-js. */
  supabaseUrl: string;
}

/**
 * Starts PostgreSQL, Supabase Lite and the stand-ins for vendors on the data folder and brings the database up to date.
 * Whatever is started is added to the shutdown plan immediately, in case a later step fails.
 * @param outside the variables from outside: what they name needs no stand-in.
 * @param onEnded called when PostgreSQL or Supabase Lite ends by itself, while the stack is running.
 * @throws StartupProblem when the data or a port is in use, or a part does not come up.
 */
export async function startStack(
  settings: LocalSettings,
  outside: Environment,
  fresh: boolean,
  progress: Progress,
  shutdown: ShutdownPlan,
  onEnded: (problem: StartupProblem) => void,
): Promise<Stack> {
  const { dataFolder, keys } = settings;
  mkdirSync(dataFolder, { recursive: true });
  const lock = takeStackLock(dataFolder, {
    apiUrl: `http://localhost:${settings.ports.api}`,
    supabaseUrl: `http://127.0.0.1:${settings.ports.supabase}`,
  });
  shutdown.add({ stop: async () => lock.release(), kill: () => lock.release() });
  if (lock.wasLeftByCrash) {
    const stopped = lock.orphans.filter(isRunning);
    for (const orphan of stopped) await stopProcess(orphan, "SIGINT", 30_000);
    const pids = stopped.map((orphan) => orphan.pid).join(", ");
    progress.note(
      pids === ""
        ? "The last run ended without stopping (its lock is cleared; the data is kept)."
        : `The last run ended without stopping: stopped what it left running (${pids}); the data is kept.`,
    );
  }
  if (fresh) {
    const { cluster } = await locateCluster(dataFolder, await postgresAccount());
    await stopLeftoverPostgres(cluster);
    removeLocalData(dataFolder);
    progress.note(`Starting over: removed the data in ${dataFolder}.`);
  }
  await refusePortsInUse(settings, outside);
  const guard = startGuard();

  const postgres = await progress.step("PostgreSQL", () =>
    startPostgres({
      dataFolder,
      port: settings.ports.database,
      password: LOCAL_DATABASE_PASSWORD,
      durability: "durable",
      onSpawn: (child) => {
        lock.addChild(child);
        guard.protect(child, "SIGINT");
      },
    }),
  );
  shutdown.add(postgres);
  watch(postgres, "PostgreSQL", shutdown, onEnded);
  if (postgres.outside) {
    progress.note(`PostgreSQL's user cannot enter ${dataFolder}: its files are in ${postgres.outside}.`);
  }

  const databaseUrl = postgres.urlOf("postgres");
  await progress.step("Migrations", async () => {
    await migrateLocally(databaseUrl);
    await allowApiLogin(databaseUrl, LOCAL_API_PASSWORD);
  });

  const supabase = await progress.step("Supabase Lite (auth, storage)", () =>
    startSupabase({
      dataFolder,
      databaseUrl,
      keys,
      port: settings.ports.supabase,
      onSpawn: (child) => {
        lock.addChild(child);
        guard.protect(child, "SIGTERM");
      },
    }),
  );
  shutdown.add(supabase);
  watch(supabase, "Supabase Lite", shutdown, onEnded);
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

/** Reports a part that ends while the stack is running: without it, every request would fail. */
function watch(
  { exit, logFile }: { exit: Promise<number | null>; logFile: string },
  name: string,
  shutdown: ShutdownPlan,
  onEnded: (problem: StartupProblem) => void,
): void {
  exit.then((code) => {
    if (shutdown.isStopping) return;
    const how = code === null ? "was killed" : `ended with code ${code}`;
    onEnded(
      new StartupProblem(
        `${name} ${how} (see ${logFile}), so everything else is stopped too. The data is kept; start again to continue.`,
      ),
    );
  });
}
