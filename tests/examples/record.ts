import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { readConfig } from "#config/config";
import { allApps, routeToGroups } from "#functions/all";
import { servicesWithLanes } from "#functions/workers/lanes";
import { createLogger } from "#http/telemetry/logging";
import { playDemoGame } from "#local/demo/play";
import { seedDemoData } from "#local/demo/seed";
import { PORT_VARIABLES, readLocalSettings } from "#local/settings/local-settings";
import { apiEnvironment } from "#local/stack/api-environment";
import { startStack } from "#local/stack/stack";
import { LOCAL_MAIL_SECRET, LOCAL_PAYMENTS_SECRET, localVendors } from "#local/stand-ins/vendors";
import { serveLocally } from "#local/support/listen";
import { freePort } from "#local/support/ports";
import { printedProgress } from "#local/support/progress";
import { closeSuperuser } from "#tests/people";
import { type Example, recorderOf, saysTheSame } from "./recorder.ts";
import { takeTour } from "./tour.ts";

/**
 * `npm run examples`: calls every operation over fresh demo data and stand-ins for all vendors, and writes what was sent and
 * received to examples.json. Arguments name the operations to write; the others then stay as they are. Operations that could
 * not be called are listed.
 */
const file = new URL("../../tools/reference/examples.json", import.meta.url);
const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "nectar-examples-"));
const shutdown = new AsyncDisposableStack();
try {
  const outside = await localVariables(folder);
  const settings = readLocalSettings(outside);
  const progress = printedProgress(() => undefined);
  const stack = await startStack(settings, outside, false, progress, shutdown, (problem) => {
    throw problem;
  });
  const { variables } = apiEnvironment(outside, settings, stack.databaseUrl, stack.supabaseUrl);
  await progress.step("Demo data", async () => {
    const target = {
      adminUrl: stack.databaseUrl,
      supabaseUrl: stack.supabaseUrl,
      ...settings.keys,
      files: localVendors(settings).files.variables,
    };
    await seedDemoData(target);
    await playDemoGame(target);
  });
  const { services, close } = servicesWithLanes(readConfig(variables), { logger: createLogger("error") });
  shutdown.defer(close);
  const fetch = routeToGroups(services);
  // The vendors report events to it.
  shutdown.defer((await serveLocally(fetch, settings.ports.api, "The API")).stop);
  const endpoints = allApps(services).flatMap(({ app }) => app.endpoints);
  const recorder = recorderOf(endpoints, fetch, variables);
  await takeTour(recorder, {
    adminUrl: stack.databaseUrl,
    jwtSecret: settings.keys.jwtSecret,
    pushUrl: localVendors(settings).push.url,
    paymentSecret: LOCAL_PAYMENTS_SECRET,
    mailSecret: LOCAL_MAIL_SECRET,
  });
  await closeSuperuser(stack.databaseUrl);
  const recorded = recorder.examples();
  const examples = withKept(recorded);
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
  const missing = endpoints.map(({ definition }) => definition.id).filter((id) => examples[id] === undefined);
  console.log(`Recorded ${endpoints.length - missing.length} of ${endpoints.length} operations.`);
  if (missing.length > 0) {
    console.error(`Without an example: ${missing.join(", ")}. Make a call in a file of tests/examples/visits.`);
    process.exitCode = 1;
  }
} finally {
  await shutdown.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** The recorded examples, but those of the file that were not chosen or that say the same. */
function withKept(recorded: Record<string, Example>): Record<string, Example> {
  const Examples = z.record(z.string(), z.object({ request: z.unknown().optional(), response: z.unknown() }));
  const earlier = Examples.parse(JSON.parse(readFileSync(file, "utf8")));
  const isKept = (id: string) => (chosen.length > 0 && !chosen.includes(id)) || saysTheSame(earlier[id], recorded[id]);
  const kept = Object.entries(earlier).filter(([id]) => isKept(id));
  const known = chosen.length > 0 ? { ...earlier, ...recorded } : recorded;
  const examples = { ...known, ...Object.fromEntries(kept) };
  return Object.fromEntries(Object.entries(examples).toSorted(([one], [other]) => one.localeCompare(other)));
}

/** The variables of a stack of its own, beside one that may be running. */
async function localVariables(dataFolder: string): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of Object.values(PORT_VARIABLES)) ports[name] = String(await freePort());
  return { LOCAL_DATA_DIR: dataFolder, ...ports };
}
