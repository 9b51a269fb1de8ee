import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { releaseProblems } from "#tools/release-problems";
import packageJson from "../../package.json" with { type: "json" };
import { ROOT } from "./sources.ts";

const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.string().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      strategy: z.object({ matrix: z.object({ include: z.array(z.object({ command: z.string() })) }) }).optional(),
      steps: z.array(z.object({ run: z.string().optional() })),
    }),
  ),
});
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const files = globSync(".github/workflows/*.yml", { cwd: ROOT });

describe("the workflows", () => {
  test.each(files)("%s names only scripts, packages and files that exist", (file) => {
    const { jobs } = Workflow.parse(parse(read(file)));
    const commands = Object.values(jobs).flatMap(({ steps, strategy }) => [
      ...steps.flatMap(({ run = [] }) => run),
      ...(strategy?.matrix.include ?? []).map(({ command }) => command),
    ]);
    const named = (pattern: RegExp) =>
      commands.flatMap((command) => [...command.matchAll(pattern)].map(([, name = ""]) => name));
    const scripts: Readonly<Record<string, string>> = packageJson.scripts;
    expect(commands.length).toBeGreaterThan(0);
    expect(named(/\bnpm run ([\w:]+)/g).filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(named(/ -w (\S+)/g).filter((name) => !packageJson.workspaces.includes(name))).toEqual([]);
    expect(named(/(?:^|\s)((?:\.ci|tests|tools)\/[\w/.-]+)/g).filter((path) => !existsSync(join(ROOT, path)))).toEqual(
      [],
    );
  });

  test("a tag publishes both packages with provenance and an image for both processors, after the suite and not before", () => {
    const { on, jobs } = Workflow.parse(parse(read(".github/workflows/release.yml")));
    const commands = (job: string) => jobs[job]?.steps.flatMap(({ run = [] }) => run) ?? [];
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(commands("suite")).toEqual([".ci/run", 'npm run release -- --dry --tag "$GITHUB_REF_NAME"']);
    expect(jobs.publish).toMatchObject({ needs: "suite", permissions: { "id-token": "write" } });
    expect(commands("publish")).toContain("npm publish --provenance -w packages/client -w packages/mcp");
    const [image = ""] = commands("publish").filter((command) => command.startsWith("docker buildx build"));
    expect(image).toMatch(/ --platform linux\/amd64,linux\/arm64 --sbom=true .* --push \.$/);
    expect(Object.keys(jobs).filter((job) => job !== "publish" && jobs[job]?.permissions !== undefined)).toEqual([]);
  });

  test("every push to main tries the release without publishing it", () => {
    expect(read(".github/workflows/ci.yml")).toMatch(/- run: npm run release -- --dry$/m);
  });
});

describe("what keeps a version from being released", () => {
  test("is nothing at present, but a tag of another version", () => {
    expect(releaseProblems(read)).toEqual([]);
    expect(releaseProblems(read, "v0.0.1")).toContain(`The tag v0.0.1 is not v${packageJson.version}.`);
  });

  test("is a package with another version, and a changelog without a heading for it", () => {
    const changed = (file: string) =>
      ({
        "package.json": '{"version": "9.9.9"}',
        "packages/client/package.json": '{"version": "9.9.8"}',
        "packages/mcp/package.json": '{"version": "9.9.9", "dependencies": {"@nectar/client": "9.9.7"}}',
      })[file] ?? "## 9.9.90 - 2030-01-01\n";
    expect(releaseProblems(changed, "v9.9.9")).toEqual([
      "The version of packages/client is 9.9.8, and not 9.9.9.",
      "The version of the client of packages/mcp is 9.9.7, and not 9.9.9.",
      "CHANGELOG.md has no heading for 9.9.9.",
    ]);
  });
});
