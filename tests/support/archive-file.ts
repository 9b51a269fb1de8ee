import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const opened: number[] = [];
afterEach(() => {
  for (const fd of opened.splice(0)) closeSync(fd);
});

/** The bytes as an open file without a name, until the test ends. */
export function archiveFile(bytes: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), "nectar-archive-"));
  const path = join(folder, "archive.zip");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  rmSync(folder, { recursive: true });
  opened.push(fd);
  return fd;
}
