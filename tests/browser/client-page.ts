import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The client as one script for a page, with the exports of its package as `nectarClient`. */
export async function clientScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../packages/client/index.ts", import.meta.url))],
    ...{ bundle: true, write: false, platform: "browser", format: "iife", globalName: "nectarClient" },
  });
  return outputFiles[0]?.text ?? "";
}
