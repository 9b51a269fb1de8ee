import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A source file of ours, its path from the root with forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Reads every TypeScript file of the product, not the tests. */
export function readSources(): Source[] {
  return globSync("{packages,functions,local,ops,tools}/**/*.ts", {
    cwd: ROOT,
    exclude: (path) => /node_modules|\/dist/.test(path),
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}
