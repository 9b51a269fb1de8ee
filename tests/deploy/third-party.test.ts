import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundleFunction } from "./bundle.ts";

// `npm run generate -- --check` compares the file with the sources; these tests compare it with what is deployed.
const root = new URL("../../", import.meta.url);
const notices = readFileSync(new URL("THIRD_PARTY.md", root), "utf8");
const rows = [...notices.matchAll(/^\| \[(.+?)\]\(.+?\) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, name = "", version, license, where]) => ({ name, version, license, where }),
);
const namesOf = (wanted: string) => rows.filter(({ where }) => where === wanted).map(({ name }) => name);

describe("THIRD_PARTY.md", () => {
  it("lists the packages in the bundle of the game, in their installed versions", async () => {
    const { inputs, remove } = await bundleFunction("workout-window");
    await remove();
    const bundled = new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
    expect([...bundled].filter((name) => !namesOf("in bundles").includes(name))).toEqual([]);
    for (const name of ["hono", "zod", "pg", "kysely", "jose", "pino", "exifr", "@aws-sdk/client-s3", "web-push"]) {
      expect([...bundled]).toContain(name);
      const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), "utf8"));
      expect(rows).toContainEqual({ name, version, license: expect.any(String), where: "in bundles" });
    }
  });

  it("lists the packages installed beside a bundle, for the processor of the functions", () => {
    expect(namesOf("beside the bundle")).toEqual([
      "@img/colour",
      "@img/sharp-libvips-linux-arm64",
      "@img/sharp-linux-arm64",
      "detect-libc",
      "libheif-js",
      "semver",
      "sharp",
    ]);
    expect(rows.find(({ name }) => name === "libheif-js")?.license).toBe("LGPL-3.0");
    expect(notices).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
  });

  it("leaves out packages that are not deployed", () => {
    const names = rows.map(({ name }) => name);
    for (const tool of ["vitest", "sst", "esbuild", "typescript", "node", "ajv", "playwright-core"]) {
      expect(names).not.toContain(tool);
    }
    expect(new Set(rows.map(({ name, version }) => `${name} ${version}`)).size).toBe(rows.length);
  });
});
