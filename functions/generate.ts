import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "@nectar/config/config";
import { withConnection } from "@nectar/local/connection";
import { startTestCluster } from "@nectar/local/test-cluster";
import { badgeLadderSql } from "./badge-ladder-sql.ts";
import { type DatabaseTypes, databaseTypes } from "./database-types.ts";
import { environmentExample, environmentPage } from "./environment-docs.ts";
import { clientOperations, clientTypes } from "./reference/client-types.ts";
import type { QuotaLimits } from "./reference/document.ts";
import { readOperations } from "./reference/operations.ts";
import { responseTree } from "./reference/response-tree.ts";

/** Writes all generated files, or with `--check` lists those that are not up to date. */
const root = fileURLToPath(new URL("..", import.meta.url));
const checkOnly = process.argv.includes("--check");
const stale: string[] = [];

const { types, limits } = await readTestDatabase();
put("packages/database/types.generated.ts", types.tables);
put("packages/database/functions.generated.ts", types.functions);
put("packages/core/enums.generated.ts", types.enums);
// The apps need the enums when they are loaded, also those that have just been written.
const { servicesFor } = await import("@nectar/http/services-for");
const { allApps } = await import("./all.ts");
const { buildReference } = await import("./reference.ts");
const reference = await referenceText(limits);
put("openapi.json", reference);
const operations = readOperations(JSON.parse(reference));
put("packages/client/types.generated.ts", clientTypes(operations));
put("packages/client/operations.generated.ts", clientOperations(operations));
put("packages/client/notifications.generated.ts", clientCopy("packages/core/notification-texts.ts"));
put("tests/support/responses.generated.ts", responseTree(operations));
put(".env.example", environmentExample());
put("docs/environment.md", environmentPage());
put("supabase/seeds/badge_ladder.sql", badgeLadderSql());

if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

function put(file: string, text: string): void {
  const path = join(root, file);
  if (readIfThere(path) === text) return;
  if (checkOnly) stale.push(file);
  else {
    writeFileSync(path, text);
    console.log(`wrote ${file}`);
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** A file that the published client, which imports nothing, has in common with the service. */
function clientCopy(file: string): string {
  return `// Written by \`npm run generate\` from ${file}.\n\n${readFileSync(join(root, file), "utf8")}`;
}

async function referenceText(limits: QuotaLimits): Promise<string> {
  // The apps are only read, never called, so any configuration will do.
  const config = readConfig({ DATABASE_URL: "postgres://unused", SUPABASE_URL: "http://unused.invalid" });
  const services = servicesFor(config);
  const reference = buildReference(allApps(services), limits);
  await services.database.close();
  return `${JSON.stringify(reference, null, 2)}\n`;
}

async function readTestDatabase(): Promise<{ types: DatabaseTypes; limits: QuotaLimits }> {
  const { cluster, stop } = await startTestCluster();
  try {
    const url = new URL(cluster.adminUrl);
    url.pathname = `/${cluster.template}`;
    const quotas = "select name, max_units as max, period from private.quotas()";
    const { rows } = await withConnection(url.href, (client) =>
      client.query<{ name: string; max: number; period: string }>(quotas),
    );
    return { types: await databaseTypes(url.href), limits: new Map(rows.map((row) => [row.name, row])) };
  } finally {
    await stop();
  }
}
