import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { GROUPS } from "#functions/groups";
import { startTestCluster } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { badgeLadderSql } from "./badge-ladder-sql.ts";
import { databasePage } from "./database-docs.ts";
import { type DatabaseTypes, databaseTypes } from "./database-types.ts";
import { environmentExample, environmentPage } from "./environment-docs.ts";
import { privacyTables } from "./privacy-docs.ts";
import { recordsTables } from "./records-docs.ts";
import { clientOperations, clientTypes } from "./reference/client-types.ts";
import { misfittingExamples } from "./reference/example-fit.ts";
import { mcpTools } from "./reference/mcp-tools.ts";
import { readOperations } from "./reference/operations.ts";
import { responseTree } from "./reference/response-tree.ts";
import { visibleRowsSql } from "./visible-rows-sql.ts";

/**
 * Writes all generated files in the order in which they need each other. It records examples that are missing or do not fit
 * the reference, and the matrix of access if operations are missing there. With `--check` it only lists what is not up to date, with `--all` it records all of them.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const checkOnly = process.argv.includes("--check");
const recordsAll = process.argv.includes("--all");
const stale: string[] = [];
const Reference = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});

for (const { name, folder } of GROUPS) put(`functions/${folder}/handler.ts`, handlerOf(name));
put("functions/apps.generated.ts", appsTable());
put("supabase/schemas/search/visible_rows.sql", visibleRowsSql());

const { types, page, limits } = await readTestDatabase();
put("packages/database/types.generated.ts", types.tables);
put("packages/database/functions.generated.ts", types.functions);
put("packages/core/enums.generated.ts", types.enums);
put("packages/core/lengths.generated.ts", types.lengths);
put("packages/core/cards/columns.generated.ts", types.columns);
put("packages/core/mail-limits.generated.ts", types.mailLimits);
const reference = writeReference();
put("packages/client/types.generated.ts", clientTypes(reference));
put("packages/client/operations.generated.ts", clientOperations(reference));
put("packages/client/notifications.generated.ts", clientCopy("packages/core/people/notification-texts.ts"));
put("packages/mcp/tools.generated.ts", mcpTools(reference, reference.version));
put("tests/support/responses.generated.ts", responseTree(reference));
put(".env.example", environmentExample());
put("docs/environment.md", environmentPage());
put("docs/database.md", page);
put("docs/privacy.md", withParts("docs/privacy.md", privacyTables()));
put("docs/records.md", withParts("docs/records.md", recordsTables()));
put("supabase/seeds/badge_ladder.sql", badgeLadderSql());

const recorded = Object.keys(JSON.parse(read("tools/reference/examples.json")));
const missing = reference.routes.map(({ id }) => id).filter((id) => !recorded.includes(id));
const unfit = [...missing, ...reference.misfits];
if (unfit.length > 0 || recordsAll) {
  record("tools/reference/examples.json", "tests/examples/record.ts", ...(recordsAll ? [] : unfit));
  writeReference();
}

const MATRIX = "tests/api/access/matrix";
const rows = [...read(`${MATRIX}.md`).matchAll(/^\| `(.+?)` \|/gm)].map(([, route]) => route);
const routes = reference.routes.map(({ route }) => route);
if (recordsAll || rows.toSorted().join() !== routes.toSorted().join()) {
  record(`${MATRIX}.md`, "node_modules/vitest/vitest.mjs", "run", "--project", "api", `${MATRIX}.test.ts`, "-u");
}

if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

/** Runs a program that writes a file, unless files are only checked. */
function record(file: string, program: string, ...values: readonly string[]): void {
  if (checkOnly) {
    stale.push(file);
    return;
  }
  console.log(`recording ${file} ...`);
  const loader = join(root, "packages/config/require-node.mjs");
  const { status } = spawnSync(process.execPath, ["--import", loader, join(root, program), ...values], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The entry point of the deployed function of a group. */
function handlerOf(group: string): string {
  const app = `${camelCase(group)}App`;
  return `import { lambdaHandler } from "#lambda/lambda-handler";
import { ${app} } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(${app});
`;
}

/** The apps of all groups, which \`functions/all.ts\` puts together. */
function appsTable(): string {
  const names = GROUPS.map(({ name, folder }) => ({ name, folder, app: `${camelCase(name)}App` }));
  const lines = names.map(({ folder, app }) => `import { ${app} } from "./${folder}/app.ts";`);
  return `// Written by \`npm run generate\` from functions/groups.ts.
import type { GroupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import type { GroupName } from "./groups.ts";
${lines.join("\n")}

export const APPS: Readonly<Record<GroupName, (services: Services) => GroupApp>> = {
${names.map(({ name, app }) => `  "${name}": ${app},`).join("\n")}
};
`;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The document is made by another process: its parts read the examples when they are loaded. */
function writeReference() {
  const { status, stdout: text } = spawnSync(process.execPath, [join(root, "tools/reference/print.ts")], {
    encoding: "utf8",
    input: JSON.stringify(limits),
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  put("openapi.json", text);
  const document: unknown = JSON.parse(text);
  const { info, paths } = Reference.parse(document);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      route: `${method.toUpperCase()} ${path}`,
    })),
  );
  // A check leaves them to the linter of the reference, which is faster.
  const misfits = checkOnly ? [] : misfittingExamples(document);
  return { ...readOperations(document), version: info.version, routes, misfits };
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
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
  return `// Written by \`npm run generate\` from ${file}.\n\n${read(file)}`;
}

/** A page whose parts between the marks `<!-- name: generated -->` and `<!-- /name -->` are made anew. */
function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const marked = new RegExp(`(<!-- ${name}: generated -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    return text.replace(marked, (_, start: string, end: string) => `${start}\n${part}\n\n${end}`);
  }, read(page));
}

async function readTestDatabase(): Promise<{ types: DatabaseTypes; page: string; limits: readonly object[] }> {
  const { cluster, stop } = await startTestCluster();
  try {
    const url = new URL(cluster.adminUrl);
    url.pathname = `/${cluster.template}`;
    const quotas = "select name, max_units as max, period from private.quotas()";
    const { rows } = await withConnection(url.href, (client) =>
      client.query<{ name: string; max: number; period: string }>(quotas),
    );
    return { types: await databaseTypes(url.href), page: await databasePage(url.href), limits: rows };
  } finally {
    await stop();
  }
}
