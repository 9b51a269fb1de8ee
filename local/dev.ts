import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { readConfig } from "#config/config";
import { onStopSignals } from "#ops/server/signals";
import { demoDataMark } from "./database/data-folder.ts";
import { demoAccounts } from "./demo/data.ts";
import type { SeedTarget } from "./demo/target.ts";
import type { GamePageOptions } from "./pages/game-page.ts";
import { localPages } from "./pages/pages.ts";
import { type DevSummary, printSummary } from "./pages/summary.ts";
import type { Environment, LocalSettings } from "./settings/local-settings.ts";
import { readLocalSettings } from "./settings/local-settings.ts";
import { apiEnvironment } from "./stack/api-environment.ts";
import { type Stack, startStack } from "./stack/stack.ts";
import { isStoodIn, localVendors, standInPages, vendorLocation } from "./stand-ins/vendors.ts";
import { serveLocally } from "./support/listen.ts";
import { type Progress, printedProgress, seconds } from "./support/progress.ts";
import { messageOf, StartupProblem } from "./support/startup-problem.ts";

/** The API as the local stack uses it. */
export interface RunningApi {
  fetch(request: Request): Response | Promise<Response>;
  /** Closes database connections; called after the last request. */
  close(): Promise<void>;
}

/** The parts of `npm run dev` that a test can leave out. */
export interface DevOptions {
  /** Builds the API from a complete environment. */
  createApi(environment: Record<string, string>): Promise<RunningApi>;
  /**
   * Writes the demo data; called once per data folder, before the API starts. After an interruption it is called
   * again at the next start, and completes what is missing.
   */
  seed?(target: SeedTarget): Promise<void>;
}

/** Ends the start after a signal to stop. */
class Interrupted extends Error {}

/**
 * Starts everything on this machine (PostgreSQL, Supabase Lite, stand-ins for vendors, the API with its home page and
 * reference), prints the addresses, runs until Ctrl-C, and ends this process after all of it has ended. Problems are printed
 * and end it with code 1, also if PostgreSQL or Supabase Lite ends by itself. The argument `--fresh` deletes the data first.
 */
export async function runDev(options: DevOptions): Promise<void> {
  const shutdown = new AsyncDisposableStack();
  /** Aborted by Ctrl-C, by the end of npm, or with the problem of a part that has ended. */
  const running = new AbortController();
  let isInterrupted = false;
  const interrupt = (reason: string) => {
    if (isInterrupted) return;
    isInterrupted = true;
    console.log(`\n  Stopping${reason} ...`);
    running.abort(new Interrupted());
  };
  const stopListening = onStopSignals(
    () => interrupt(" (Ctrl-C again to stop without waiting)"),
    () => console.error("\n  Stopped without waiting."),
  );
  // npm does not pass on every signal: without it the stack would keep running in the background.
  const npm = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
  const watch = setInterval(() => {
    if (npm !== undefined && process.ppid !== npm) interrupt(": npm has ended");
  }, 500);
  watch.unref();
  // Writing to a closed terminal fails; everything must be stopped all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  const progress = printedProgress(() => running.signal.throwIfAborted());
  try {
    const startedAt = performance.now();
    const summary = await startEverything(options, progress, shutdown, (problem) => running.abort(problem));
    printSummary(summary);
    console.log(`  Ready after ${seconds(performance.now() - startedAt)}. Ctrl-C stops everything; the data stays.\n`);
    if (!running.signal.aborted) await once(running.signal, "abort");
    running.signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof Interrupted)) {
      process.exitCode = 1;
      console.error(`\n${error instanceof StartupProblem ? error.message : describe(error)}\n`);
    }
  } finally {
    await shutdown.disposeAsync().catch((error: unknown) => {
      console.error(`  A part did not stop in order: ${messageOf(error)}`);
    });
    stopListening();
  }
  if (isInterrupted) console.log("  Stopped.");
  // A forgotten timer or socket must not keep the stopped stack in the terminal.
  process.exit();
}

async function startEverything(
  options: DevOptions,
  progress: Progress,
  shutdown: AsyncDisposableStack,
  onEnded: (problem: StartupProblem) => void,
): Promise<DevSummary> {
  const outside = process.env;
  const args = process.argv.slice(2);
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
    pages: standInPages(localVendors(settings), outside),
    dataFolder: settings.dataFolder,
    accounts: options.seed ? demoAccounts : [],
    superAdmins: [...readConfig(variables).superAdminEmails],
  };
  await progress.step("API", async () => {
    const api = await options.createApi(variables);
    shutdown.defer(() => api.close());
    const server = await serveLocally(
      localPages(summary, (request) => api.fetch(request), gameToShow(summary, variables)),
      settings.ports.api,
      "The API",
    );
    shutdown.defer(server.stop);
  });
  return summary;
}

/** The pages show the game as a super admin of the demo data sees it; null if none of its accounts is one. */
function gameToShow(
  { accounts, superAdmins, supabaseUrl, publishableKey }: DevSummary,
  variables: Record<string, string>,
): GamePageOptions | null {
  const account = accounts.find(({ email }) => superAdmins.includes(email));
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
      // A developer's own bucket gets no demo data.
      ...(isStoodIn(files, outside) ? { files: files.variables } : {}),
    });
    writeFileSync(mark, JSON.stringify({ writtenAt: new Date().toISOString() }));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
