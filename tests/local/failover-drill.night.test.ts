import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAMS = ["/usr/lib/postgresql/15/bin/postgres", "/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"];
const hasAll = [...PROGRAMS, "/usr/bin/pgbackrest", "/usr/bin/jq"].every((program) => existsSync(program));
const drill = () => promisify(execFile)("npm", ["run", "-s", "failover:drill", "--", "4"]);

test("npm run failover:drill loses nothing", async (context) => {
  context.skip(!hasAll, "The programs are not installed.");
  expect((await drill()).stdout).toContain("Nothing was lost.");
});

test("without its programs, npm run failover:drill names their packages", async (context) => {
  context.skip(hasAll, "The programs are installed.");
  await expect(drill()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("apt-get install ") });
});
