import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import service from "../../../package.json" with { type: "json" };
import client from "../../../packages/client/package.json" with { type: "json" };

test("the client is at most 6 KB of compressed JavaScript for a browser, and imports nothing", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../../../packages/client/index.ts", import.meta.url))],
    ...{ bundle: true, minify: true, write: false, metafile: true },
    ...{ platform: "browser", format: "esm", target: "es2022" },
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
  console.log(`@nectar/client is ${bytes} bytes of compressed JavaScript.`);
  expect(bytes).toBeLessThanOrEqual(6 * 1024);
  const inputs = Object.keys(metafile.inputs).map((path) => path.replace(/^.*packages\//, ""));
  expect(inputs.filter((path) => !path.startsWith("client/"))).toEqual([]);
});

test("the client has the version of the service", () => {
  expect(client.version).toBe(service.version);
});
