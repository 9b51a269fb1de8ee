import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A temporary folder for the calling test file. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nectar-local-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
