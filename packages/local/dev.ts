import { existsSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { apiEnvironment } from "./api-environment.ts";
import { serveOn } from "./api-server.ts";
import { demoDataMark } from "./data-folder.ts";
import { demoAccounts } from "./demo/data.ts";
import type { GamePageOptions } from "./game-page.ts";
import { whenLauncherEnds } from "./launcher.ts";
import type { Environment, LocalSettings } from "./local-settings.ts";
import { readLocalSettings } from "./local-settings.ts";
import { localPages } from "./pages.ts";
import { type Progress, printedProgress, seconds } from "./progress.ts";
import { type ShutdownPlan, shutdownPlan } from "./shutdown-plan.ts";
import { type Stack, startStack } from "./stack.ts";
import { isStoodIn, localVendors, standInPages, vendorLocation } from "./stand-ins/vendors.ts";
import { StartupProblem } from "./startup-problem.ts";
import { type DevSummary, printSummary } from "./summary.ts";

/** The API as the local stack needs it. */
export interface RunningApi {
  fetch(request: Request): Response | Promise<Response>;
  /** Closes database connections; called after the last request. */
  close(): Promise<void>;
}

/** Where the demo data is written. */
export interface SeedTarget {
  /** Superuser connection URL of the database. */
  adminUrl: string;
  supabaseUrl: string;
  publishableKey: string;
  /** Key that may write to the storage of that Supabase; without it no images are stored. */
  secretKey?: string;
  /** Variables of the stand-in for private files; without them no mosaics are drawn. */
  files?: Readonly<Record<string, string>>;
}

/** What `npm run dev` is made of. */
export interface DevOptions {
  /** Builds the API from a complete environment. */
  createApi(environment: Record<string, string>): Promise<RunningApi>;
  /**
   * Writes the demo data; called once per data folder, before the API starts. After an interruption it is called
   * again at the next start, and completes what is missing.
   */
  seed?(target: SeedTarget): Promise<void>;
  /** The variables to run under; those of this process by default. */
  environment?: Environment;
  /** The arguments after the program's name; those of this process by default. `--fresh` starts over. */
  args?: readonly string[];
}

const sameSignalMs = 500;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Thrown to leave the start after a request to stop. */
class Interrupted extends Error {}

/**
 * Starts everything on this machine (PostgreSQL, Supabase Lite, stand-ins for vendors, the API with its home page and
 * reference), prints where it is, runs until Ctrl-C, and ends this process once all of it has ended. Problems are printed and
 * end it with code 1; that PostgreSQL or Supabase Lite ended by itself is one of them.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const shutdown = shutdownPlan();
  const asked = Promise.withResolvers<void>();
  let isAsked = false;
  let askedAt = 0;
  const ask = (because: string) => {
    isAsked = true;
    askedAt = performance.now();
    console.log(`\n  Stopping${because} ...`);
    asked.resolve();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (!isAsked) return ask(" (Ctrl-C again to stop without waiting)");
    // One Ctrl-C may arrive twice: from the terminal, and handed on by npm.
    if (performance.now() - askedAt < sameSignalMs) return;
    console.error("\n  Stopped without waiting.");
    process.exit(128 + constants.signals[signal]);
  };
  whenLauncherEnds(process.env.npm_lifecycle_event !== undefined, () => {
    if (!isAsked) ask(": npm has ended");
  });
  for (const signal of signals) process.on(signal, onSignal);
  // A terminal that was closed takes no more lines; that is no reason to leave without stopping everything.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // The last resort for every way this process may end: nothing it started outlives it.
  process.once("exit", () => shutdown.killAll());

  let lost: StartupProblem | null = null;
  const onEnded = (problem: StartupProblem) => {
    lost = problem;
    asked.resolve();
  };
  const throwIfLost = () => {
    if (lost !== null) throw lost;
  };
  const progress = printedProgress(() => {
    if (isAsked) throw new Interrupted();
    throwIfLost();
  });
  try {
    const startedAt = performance.now();
    const summary = await startEverything(options, progress, shutdown, onEnded);
    printSummary(summary);
    console.log(`  Ready after ${seconds(performance.now() - startedAt)}. Ctrl-C stops everything; the data stays.\n`);
    await asked.promise;
    throwIfLost();
  } catch (error) {
    if (!(error instanceof Interrupted)) {
      process.exitCode = 1;
      console.error(`\n${error instanceof StartupProblem ? error.message : describe(error)}\n`);
    }
  } finally {
    await shutdown.stopAll();
    for (const signal of signals) process.off(signal, onSignal);
  }
  if (isAsked) console.log("  Stopped.");
  // A forgotten timer or socket must not keep the stopped stack in the terminal.
  process.exit();
}

async function startEverything(
  options: DevOptions,
  progress: Progress,
  shutdown: ShutdownPlan,
  onEnded: (problem: StartupProblem) => void,
): Promise<DevSummary> {
  const outside = options.environment ?? process.env;
  const args = options.args ?? process.argv.slice(2);
  const unknown = args.filter((argument) => argument !== "--fresh");
  if (unknown.length > 0) throw new StartupProblem(`Unknown argument ${unknown.join(" ")}: only --fresh is known.`);
  const settings = readLocalSettings(outside);

  console.log("\nNectar is starting\n");
  const stack = await startStack(settings, outside, args.includes("--fresh"), progress, shutdown, onEnded);
  await seedOnce(options, settings, outside, stack, progress);

  const { variables, replaced } = apiEnvironment(outside, settings, stack.databaseUrl, stack.supabaseUrl);
  if (replaced.length > 0) progress.note(`From your environment instead of the local default: ${replaced.join(", ")}`);
  const summary: DevSummary = {
    apiUrl: `http://localhost:${settings.ports.api}`,
    supabaseUrl: variables.SUPABASE_URL ?? stack.supabaseUrl,
    databaseUrl: stack.databaseUrl,
    publishableKey: variables.SUPABASE_PUBLISHABLE_KEY ?? "",
    vendors: Object.values(localVendors(settings)).map((vendor) => ({
      name: vendor.name,
      location: vendorLocation(vendor, outside),
    })),
    pages: [
      ...(options.seed ? [{ title: "The game today", url: "/game" }] : []),
      ...standInPages(localVendors(settings), outside),
    ],
    dataFolder: settings.dataFolder,
    accounts: options.seed ? demoAccounts : [],
  };
  await progress.step("API", async () => {
    const api = await options.createApi(variables);
    shutdown.add({ stop: () => api.close(), kill: () => undefined });
    shutdown.add(
      await serveOn(
        settings.ports.api,
        localPages(summary, (request) => api.fetch(request), gameToShow(summary, variables)),
      ),
    );
  });
  return summary;
}

/** The game is shown as the super admin sees it, where there are demo data to show. */
function gameToShow(
  { accounts, supabaseUrl, publishableKey }: DevSummary,
  variables: Record<string, string>,
): GamePageOptions | null {
  const account = accounts.find(({ email }) => email === variables.SUPER_ADMIN_EMAILS);
  const cronSecret = variables.WORKOUT_WINDOW_CRON_SECRET ?? "";
  return account === undefined ? null : { account, supabaseUrl, publishableKey, cronSecret };
}

async function seedOnce(
  options: DevOptions,
  settings: LocalSettings,
  outside: Environment,
  stack: Stack,
  progress: Progress,
): Promise<void> {
  const { dataFolder, keys } = settings;
  const mark = demoDataMark(dataFolder);
  const { seed } = options;
  const { files } = localVendors(settings);
  if (!seed || existsSync(mark)) return;
  await progress.step("Demo data", async () => {
    await seed({
      adminUrl: stack.databaseUrl,
      supabaseUrl: stack.supabaseUrl,
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
      // No demo data in a bucket of the developer's own.
      ...(isStoodIn(files, outside) ? { files: files.variables } : {}),
    });
    writeFileSync(mark, JSON.stringify({ writtenAt: new Date().toISOString() }));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
