import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A source file of ours, its path from the root with forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** Everything that it imports, statically or dynamically, types included. */
  readonly imports: readonly string[];
}

/** Reads every TypeScript file of the product: packages and functions, not the tests. */
export function readSources(): Source[] {
  return globSync("{packages,functions}/**/*.ts", { cwd: ROOT, exclude: (path) => /node_modules|\/dist/.test(path) })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => {
      const text = readFileSync(posix.join(ROOT, path), "utf8");
      return { path, text, imports: importsOf(text) };
    });
}

/** The specifiers of `import ... from "x"`, `export ... from "x"`, `import "x"` and `import("x")`. */
export function importsOf(text: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+)["']([^"']+)["']/gm;
  return [...text.matchAll(pattern)].flatMap((match) => (match[1] === undefined ? [] : [match[1]]));
}

/** The room that a path is in: `packages/core`, `functions/journal`, or `functions` for the files beside the groups. */
export function roomOf(path: string): string {
  const [first = "", second = "", third] = path.split("/");
  return first === "packages" || third !== undefined ? `${first}/${second}` : first;
}

/** The room that an import of ours leads to; null for a package that is not ours. */
export function roomOfImport(from: string, specifier: string): string | null {
  if (specifier.startsWith("@nectar/")) return `packages/${specifier.split("/")[1]}`;
  if (!specifier.startsWith(".")) return null;
  return roomOf(posix.normalize(posix.join(posix.dirname(from), specifier)));
}
