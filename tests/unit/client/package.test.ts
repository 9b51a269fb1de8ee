import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import service from "../../../package.json" with { type: "json" };
import client from "../../../packages/client/package.json" with { type: "json" };
import mcp from "../../../packages/mcp/package.json" with { type: "json" };

test.each([
  ["createNectar", "index.ts", 6_348],
  ["verifyBattle", "index.ts", 1024],
  ["createSync", "sync.ts", 1536],
  ["*", "notifications.generated.ts", 1536],
])(
  "%s of %s is at most %i bytes of compressed JavaScript for a browser, and imports nothing",
  async (name, file, max) => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `export ${name === "*" ? name : `{ ${name} }`} from "./${file}"`,
        resolveDir: fileURLToPath(new URL("../../../packages/client", import.meta.url)),
      },
      ...{ bundle: true, minify: true, write: false, metafile: true },
      ...{ platform: "browser", format: "esm", target: "es2022" },
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
    console.log(`${name} of ${file} is ${bytes} bytes of compressed JavaScript.`);
    expect(bytes).toBeLessThanOrEqual(max);
    const inputs = Object.keys(metafile.inputs).map((path) => path.replace(/^.*packages\//, ""));
    expect(inputs.filter((path) => path !== "<stdin>" && !path.startsWith("client/"))).toEqual([]);
  },
);

test("every type that a caller meets in the functions of the client is exported", () => {
  const sourceOf = (file: string) => readFileSync(new URL(`../../../packages/client/${file}`, import.meta.url), "utf8");
  const types = [...sourceOf("nectar.ts").matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  expect(types).toContain("NewPicture");
  expect(types.filter((name) => !new RegExp(`\\b${name}\\b`).test(sourceOf("index.ts")))).toEqual([]);
});

test("the client and the MCP package have the version of the service", () => {
  expect([client.version, mcp.version, mcp.dependencies["@nectar/client"]]).toEqual(Array(3).fill(service.version));
});
