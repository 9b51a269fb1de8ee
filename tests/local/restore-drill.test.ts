import { execFileSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloneDatabase, type RunningTestCluster, startTestCluster } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { closeSuperuser, signUp } from "#tests/people";
import { runProgram } from "./dev-process.ts";

const debian = globSync("/usr/lib/postgresql/*/bin/initdb").map(dirname)[0];
const drill = (url: string, environment: Record<string, string> = {}) =>
  runProgram("../../local/recovery/cli.ts", [], { DATABASE_ADMIN_URL: url, TMPDIR: tmpdir(), ...environment });

/** The major version that a program prints; 0 if it is not in the PATH. */
function versionOf(program: string): number {
  try {
    return Number(/\d+/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[0]);
  } catch {
    return 0;
  }
}

describe.each([
  { name: "npm's PostgreSQL", programs: undefined, installed: true },
  { name: "Debian's PostgreSQL", programs: debian, installed: debian !== undefined },
])("$name", ({ programs, installed }) => {
  let version = 0;
  let running: RunningTestCluster;
  let url: string;
  const run = (sql: string) => withConnection(url, (client) => client.query(sql));
  beforeAll(async () => {
    if (!installed) return;
    running = await startTestCluster(programs);
    url = (await cloneDatabase(running.cluster, "live")).adminUrl;
    version = Number.parseInt((await run("show server_version")).rows[0].server_version, 10);
  });
  afterAll(async () => {
    if (!installed) return;
    await closeSuperuser(url);
    await running.stop();
  });

  test("the drill restores a healthy database, and says what is wrong with another", async (context) => {
    context.skip(!installed, "not installed (Debian: postgresql)");
    context.skip(versionOf("pg_dump") < version, `pg_dump ${version} is not installed`);
    const ada = await signUp(url, { fullName: `Ada "the first", \\ {Lovelace} (ça\nva?)` });
    // As Supabase Lite at each start.
    await run("create role other; grant all on all tables in schema nectar, private to other");
    expect(await drill(url)).toEqual({ code: 0, output: "The restored database is complete.\n" });
    await run(`
      update nectar.accounts set drops_balance = 49 where user_id = '${ada.id}';
      create index by_hand on nectar.profiles (avatar_url);
      alter policy "a person sees their own account" on nectar.accounts using (true);
      alter table nectar.goals disable row level security;
      grant select on nectar.user_roles to public;
      alter role nectar_service bypassrls;
      delete from supabase_migrations.schema_migrations where version = '20261101000000'`);
    const { code, output } = await drill(url);
    expect(code).toBe(1);
    expect(output.split("\n").sort()).toEqual([
      "",
      "The ledger is not reconciled.",
      `balance of account ${ada.id} is 49 instead of 50.`,
      expect.stringMatching(/^index nectar\.by_hand: CREATE INDEX .* in the database, none restored\.$/),
      "migration 20261101000000: none in the database, applied restored.",
      expect.stringMatching(
        /^policy "a person sees their own account" on nectar\.accounts: .* true in the database, r t /,
      ),
      expect.stringMatching(/^role nectar_service: f f f t .*, f f f f .* restored\.$/),
      expect.stringMatching(/^table nectar\.goals: row security f.* in the database, row security t/),
      expect.stringMatching(/^table nectar\.user_roles: .*SELECT to public.* in the database, /),
    ]);
  });

  test.for([
    { what: "a missing pg_dump", programs: {}, says: "pg_dump is missing", wanted: 0 },
    {
      what: "an old pg_dump",
      programs: { pg_dump: "14.2", pg_restore: "18.1" },
      says: "pg_dump is 14",
      wanted: 0,
    },
    {
      what: "a pg_restore older than pg_dump",
      programs: { pg_dump: "99.0 (Debian 99.0-1)", pg_restore: "18.1" },
      says: "pg_restore is 18",
      wanted: 99,
    },
  ])("$what is named with the server's version", async ({ programs, says, wanted }, context) => {
    context.skip(!installed, "not installed (Debian: postgresql)");
    const path = mkdtempSync(join(tmpdir(), "nectar-programs-"));
    for (const [program, printed] of Object.entries(programs)) {
      writeFileSync(join(path, program), `#!/bin/sh\necho "${program} (PostgreSQL) ${printed}"\n`);
      chmodSync(join(path, program), 0o755);
    }
    const { code, output } = await drill(url, { PATH: path });
    expect(code).toBe(1);
    expect(output).toContain(`The server is PostgreSQL ${version}.`);
    expect(output).toContain(`, and ${says}. Install postgresql-client-${wanted || version} or a newer one.`);
    rmSync(path, { recursive: true });
  });
});
