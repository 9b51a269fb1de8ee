import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";

const Package = z.object({
  deprecated: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  link: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
});
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const { packages } = z.object({ packages: z.record(z.string(), Package) }).parse(read("package-lock.json"));
const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(read("package.json"));

test("pages that install our packages, which are not published, say how to pack them", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "packages/*/*.md"], { cwd: new URL("../../", import.meta.url) });
  const [guide] = blocksWithOurPackages("docs/guide/README.md");
  expect(guide).toMatch(/^npm pack -w packages\/client -w packages\/mcp --pack-destination/);
  const blocks = pages.flatMap((page) => blocksWithOurPackages(page).map((block) => ({ page, block })));
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  for (const { page, block } of blocks) {
    expect.soft(block, page).toContain(guide?.split("\n")[0]);
    expect.soft(block, page).not.toMatch(/npm install.*@nectar\//);
  }
});

/** The commands of a page that install a package of this repository. */
function blocksWithOurPackages(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    /npm install.*nectar/.test(block) ? [block] : [],
  );
}

test("npm does not warn of the Node that runs it: the scripts have one of their own", () => {
  expect(readFileSync(new URL("../../.npmrc", import.meta.url), "utf8")).toMatch(/^loglevel=error$/m);
});

const FOLDER = "node_modules/";
const installable = Object.entries(packages)
  .filter(([path, { link }]) => path.includes(FOLDER) && link !== true)
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf(FOLDER) + FOLDER.length), ...entry }));
const allows = (list: string[] | undefined, value: string) => list === undefined || list.includes(value);

describe("what a clone installs", () => {
  test("is at most 400 packages on Linux with an x64 processor", () => {
    const installed = installable.filter(
      ({ os, cpu, libc }) => allows(os, "linux") && allows(cpu, "x64") && allows(libc, "glibc"),
    );
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.length).toBeLessThanOrEqual(400);
  });

  test("has an answer in allowScripts for every install script, and none for other packages", () => {
    const withScript = installable.filter(({ hasInstallScript }) => hasInstallScript === true);
    expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript.map(({ name }) => name))].toSorted());
  });

  test("has no package that its authors call deprecated", () => {
    expect(installable.filter(({ deprecated }) => deprecated !== undefined).map(({ name }) => name)).toEqual([]);
  });
});
