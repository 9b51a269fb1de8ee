import { findPackageJSON } from "node:module";
import { dirname } from "node:path";

/**
 * The folder of an installed npm package, resolved from `from` (a file URL or path; this package by default).
 * @throws Error when it is not installed.
 */
export function installedPackage(name: string, from: string = import.meta.url): string {
  const manifest = findPackageJSON(name, from);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  return dirname(manifest);
}
