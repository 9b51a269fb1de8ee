import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS, TASKS } from "#functions/groups";
import { ROOT, readSources } from "./sources.ts";

const sources = readSources();

/** Finds a pattern outside the files that may have it. */
function outside(pattern: RegExp, allowed: RegExp): string[] {
  return sources.filter(({ path, text }) => pattern.test(text) && !allowed.test(path)).map(({ path }) => path);
}

describe("only some files", () => {
  // A pool without a listener ends the process when PostgreSQL ends an idle connection. The baselines have no code of ours.
  it("make a pool of connections; all others call a function that listens to its errors", () => {
    const files = globSync("{functions,packages,local,ops,tools,tests}/**/*.ts", { cwd: ROOT }).filter((path) =>
      /new (pg\.)?Pool\(/.test(readFileSync(join(ROOT, path), "utf8")),
    );
    expect(files.toSorted()).toEqual([
      "local/support/connection.ts",
      "packages/database/pool.ts",
      "tests/bench/cold-start-baseline.ts",
      "tests/deploy/baseline.ts",
    ]);
  });

  it("read the environment", () => {
    expect(
      outside(
        /\bprocess\.env\b/,
        /^(packages\/(config\/config\.ts|lambda\/|mcp\/main\.ts)|ops\/backup\/postgres-program\.ts$|(local|tools|ops\/deploy)\/)/,
      ),
    ).toEqual([]);
  });

  // The client runs elsewhere, and has no services. A store compares the time of a signed address with its own clock.
  it("read the clock or randomness; all others get them from the services", () => {
    const pattern = /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/;
    const allowed =
      /^(packages\/(http\/(services\/services-for|endpoint\/group-app|telemetry\/logging)\.ts|providers\/private-files\.ts|client\/|lambda\/)|ops\/(server\/(run-server|images)\.ts|backup\/cli\.ts|migrate\/api-password\.ts|deploy\/)|local\/|tools\/)/;
    expect(outside(pattern, allowed)).toEqual([]);
  });

  // Matching after a change writes rows of other users, after the request has committed its own.
  it("use the service role: jobs, tasks, webhooks, admin routes, matching and unsubscribing", () => {
    const allowed =
      /^packages\/(database\/(database|retry)\.ts|http\/(access\/(access|bootstrap-roles|request-database)|jobs\/(claims|jobs)|services\/traced)\.ts|notifications\/outbox\.ts)$|^local\/demo\/play\.ts$|^functions\/(admin|drops\/app\.ts$|health\/(figures|jobs)|payment-webhook|mail\/(webhook|policy|unsubscribe)|encouragement-drops\/drops\/admin|safety\/(reports|appeals)\/routes\.ts$|workers\/(run|resuming|exports\/build|imports\/run)\.ts$|game\/((battles|matching|mosaics)\/runs|matching\/rematch|check-ins\/(review|routes))\.ts$)/;
    expect(outside(/\b(asService|runAsService|withinBudget)\b|access: "service"/, allowed)).toEqual([]);
  });

  // Only `pageOf` makes cursors, and it ends a page before it is too large to send. A mosaic bounds its bytes by itself.
  it("make cursors; lists get theirs from pageOf", () => {
    const allowed = /^packages\/http\/response\/paging\.ts$|^functions\/game\/mosaics\/mosaic\.ts$/;
    expect(outside(/\bencodeCursor\b/, allowed)).toEqual([]);
  });

  it("print without the logger", () => {
    expect(outside(/\bconsole\./, /^(packages\/(lambda|mcp)|local|ops\/(backup|deploy|migrate)|tools)\//)).toEqual([]);
  });
});

describe("functions/", () => {
  it("has app and handler in the folder of every group, and no other folder with an app", () => {
    const apps = sources
      .filter(({ path }) => /^functions\/.*\/app\.ts$/.test(path))
      .map(({ path }) => dirname(path))
      .sort();
    expect(apps).toEqual(GROUPS.map(({ folder }) => `functions/${folder}`).sort());
    const handlers = sources
      .filter(({ path }) => path.endsWith("/handler.ts"))
      .map(({ path }) => dirname(path))
      .sort();
    expect(handlers).toEqual([...GROUPS, TASKS].map(({ folder }) => `functions/${folder}`).sort());
  });

  it("has a schema beside all routes", () => {
    const routes = globSync("functions/**/routes.ts", { cwd: ROOT });
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter((path) => !existsSync(join(ROOT, dirname(path), "schema.ts")))).toEqual([]);
  });

  it("declares every route under a path of its group", () => {
    const misplaced = GROUPS.flatMap(({ folder, paths }) => {
      const inner = GROUPS.map((group) => group.folder).filter((other) => other.startsWith(`${folder}/`));
      const files = sources.filter(
        ({ path }) =>
          path.startsWith(`functions/${folder}/`) &&
          !inner.some((other) => path.startsWith(`functions/${other}/`)) &&
          /\/(app|routes)\.ts$/.test(path),
      );
      const text = files.map((file) => file.text).join("\n");
      const routes = [...text.matchAll(/^\s+"[A-Z]+ (\/[^"]*)",$/gm)].map((match) => match[1] ?? "");
      return routes.filter((route) => !paths.some((path) => route === path || route.startsWith(`${path}/`)));
    });
    expect(misplaced).toEqual([]);
  });
});

describe("files", () => {
  it("have no unfinished work and do not work around the types", () => {
    const pattern = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)|\bas any\b|\bas unknown as\b/;
    expect(outside(pattern, /^$/)).toEqual([]);
  });
});

/** Each line breaks a rule; the linter would be silent about a rule that matches nothing any more. */
const BROKEN = [
  ["packages/core/text", 'import "#http/services/clock";', "core, config, client and mcp import nothing of ours."],
  ["packages/http/jobs", 'export { a } from "#local/dev";', "http imports core, config, database and providers."],
  ["packages/http/services", 'import type { A } from "../endpoint/run.ts";', "services import telemetry only."],
  ["packages/core", 'const a = await import("../http/x.ts");', "Import another package by its name"],
  ["functions/journal", 'import { a } from "../teams/teams.ts";', "A group imports no other group."],
  [
    "functions/safety/blocks",
    'import { a } from "../reports/reports.ts";',
    "Only appeals import another room of safety",
  ],
  ["functions/assistant/tones", 'import { a } from "#tools/generate";', "What ships does not import how it is made"],
  ["ops/migrate", 'import { a } from "#local/dev";', "ops imports packages only."],
  ["functions/goals", 'import pg from "pg";', "Query through #database."],
] as const;

describe("the walls between rooms", () => {
  it("stand", () => {
    const folder = mkdtempSync(join(ROOT, ".walls-"));
    try {
      for (const [room, line] of BROKEN) {
        mkdirSync(join(folder, room), { recursive: true });
        writeFileSync(join(folder, room, "wrong.ts"), `${line}\n`);
      }
      const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
      const args = [biome, "lint", `--config-path=${ROOT}`, "--vcs-enabled=false", "--max-diagnostics=none", folder];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      const problems = `${stdout}${stderr}`.split(/^(?=\S*wrong\.ts:)/m);
      for (const [room, , wall] of BROKEN) {
        expect(problems.filter((problem) => problem.includes(`${room}/wrong.ts`)).join("")).toContain(wall);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
