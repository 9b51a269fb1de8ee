import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAMS = ["/usr/bin/pg_createcluster", "/usr/bin/unshare", "/usr/bin/setpriv", "/usr/sbin/ip"];
const possible = process.getuid?.() === 0 && PROGRAMS.every((program) => existsSync(program));

test("the commands of the page lead from an empty folder to the first request and the first backup", async (context) => {
  context.skip(!possible, "It needs root and Debian's PostgreSQL.");
  const { stdout } = await promisify(execFile)(join(import.meta.dirname, "first-request.sh"));
  expect(stdout).toMatch(/^Built after \d+ s\.\nSaved nectar-.*\nThe first entry is written after \d+ s\.\n$/);
});
