import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { readSources } from "./sources.ts";

describe("files", () => {
  it("do not import each other in a circle, types included", () => {
    const sources = readSources();
    const targets = new Map(
      sources.map(({ path, imports }) => [path, imports.flatMap((specifier) => fileOfImport(path, specifier) ?? [])]),
    );
    expect(findCircles(targets)).toEqual([]);
  });

  it("in a circle are all found", () => {
    const targets = new Map([
      ["a", ["b", "outside"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);
    expect(findCircles(targets)).toEqual(["a -> b -> c -> a"]);
  });
});

/** The file of ours that an import names; null for a package that is not ours. */
function fileOfImport(from: string, specifier: string): string | null {
  if (specifier.startsWith("@nectar/")) return `packages/${specifier.slice("@nectar/".length)}.ts`;
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : null;
}

/** Every circle that a walk through the imports runs into, as `a -> b -> a`. */
function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return circles;
}
