import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { SCHEDULES } from "#functions/schedules";
import { servicesFor } from "#http/services/services-for";
import {
  cloneDatabase,
  createHostedProject,
  databaseOf,
  type RunningTestCluster,
  startTestCluster,
} from "#local/database/test-cluster";
import { compareFacts, findLedgerProblems, readFacts } from "#local/recovery/checks";
import { withConnection } from "#local/support/connection";
import { backUp } from "#ops/backup/backup";
import { runOnDatabase } from "#ops/backup/postgres-program";
import { type BackupStore, bucketStore, folderStore } from "#ops/backup/stores";
import { s3Files } from "#providers/private-files";
import { clientOf } from "#tests/client";
import { storedKeys, useFileStore } from "#tests/file-store";
import { closeSuperuser, signUp, TEST_JWT_SECRET } from "#tests/people";
import { runProgram, startProgram } from "./dev-process.ts";
import { RESTORE, runByPage } from "./restore-by-page.ts";

const root = resolve(import.meta.dirname, "../..");
const debian = globSync("/usr/lib/postgresql/*/bin/initdb").map(dirname)[0];
const CLI = "../../ops/backup/cli.ts";
const FIRST_NIGHT = new Date("2027-06-15T02:00:07Z");
const NIGHTS = ["20270615T020007Z", "20270616T020007Z", "20270617T020007Z"];

const folder = mkdtempSync(join(tmpdir(), "nectar-backup-test-"));
const files = await useFileStore();
const fileStore = s3Files({
  bucket: files.S3_BUCKET,
  region: "us-east-1",
  endpoint: files.S3_ENDPOINT,
  accessKeyId: files.S3_ACCESS_KEY_ID,
  secretAccessKey: files.S3_SECRET_ACCESS_KEY,
});

test("a program gets the password of an address as a variable, wherever it stands in it", async () => {
  const show = (url: string) => runOnDatabase({ url }, folder, "sh", "-c", 'echo "$PGPASSWORD" "$@"', "sh");
  expect(await show("postgres://ada:se%2Fcret@db.test/nectar")).toBe(
    "se/cret --dbname=postgres://ada@db.test/nectar\n",
  );
  const parameter = "postgres://ada:old@db.test/nectar?password=se%2Fcret&sslmode=require";
  expect(await show(parameter)).toBe("se/cret --dbname=postgres://ada@db.test/nectar?sslmode=require\n");
});

test("a bucket that stores a part of a file does not keep it", async () => {
  const path = join(folder, "whole");
  writeFileSync(path, "whole");
  const shortening: typeof fileStore = {
    ...fileStore,
    uploadStream: (key, _, type) => fileStore.upload(key, new TextEncoder().encode("who"), type),
  };
  await expect(bucketStore(shortening).add("whole.dump", path)).rejects.toThrow("whole.dump had 3 bytes");
  expect(await storedKeys(files.S3_ENDPOINT, "backups/whole")).toEqual([]);
});

describe.runIf(debian !== undefined)("backups of Debian's PostgreSQL", () => {
  let running: RunningTestCluster;
  let url: string;
  let api: ReturnType<typeof openApi>;
  let now = FIRST_NIGHT;
  const clock = { now: () => now };
  const night = (number: number, hours = 0) => {
    now = new Date(FIRST_NIGHT.getTime() + (24 * number + hours) * 3_600_000);
  };

  function openApi(databaseUrl: string) {
    const config = readConfig({
      DATABASE_URL: databaseUrl,
      SUPABASE_URL: "https://auth.example.test",
      SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
      BACKUP_EXPECTED: "true",
      LOG_LEVEL: "silent",
    });
    const services = servicesFor(config, { clock });
    return { ...clientOf(routeToGroups(services)), close: () => services.database.close() };
  }

  beforeAll(async () => {
    running = await startTestCluster(debian);
    const database = await cloneDatabase(running.cluster, "live");
    url = database.adminUrl;
    api = openApi(database.apiUrl);
    await fileStore.upload("pictures/a picture ä.jpg", new Uint8Array(7), "image/jpeg");
    // No other job is late at any time.
    await run(`insert into private.job_runs (job, key, started_at, finished_at, succeeded)
      select unnest(array['${SCHEDULES.map(({ name }) => name).join("','")}']), 'all', '2100-01-01', '2100-01-01', true`);
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(async () => {
    await api.close();
    await closeSuperuser(url);
    await running.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (sql: string) => withConnection(url, (client) => client.query(sql));
  const backups = async () =>
    (await run("select started_at, results from private.job_runs where job = 'backup' order by started_at")).rows;
  const saveTo = (name: string, store: BackupStore = folderStore(join(folder, name))) =>
    // As with BACKUP_FOLDER=backups.
    backUp({ admin: { url }, files: fileStore, folder: relative(process.cwd(), join(folder, name)), store, clock });
  const late = async () => {
    // A process asks the database once in a while.
    now = new Date(now.getTime() + 60_000);
    const { status, text } = await api.get("/health/jobs");
    return { status, late: JSON.parse(text).late };
  };

  /** A pg_dump that makes a part of the dump and says that all is well. */
  function cutDumps(): void {
    const path = mkdtempSync(join(folder, "programs-"));
    const script = `#!/bin/sh
"${debian}/pg_dump" "$@" || exit
for argument; do case $argument in --file=*) truncate -s "-$(($(stat -c %s "\${argument#--file=}") / 2))" "\${argument#--file=}"; esac; done
`;
    writeFileSync(join(path, "pg_dump"), script);
    chmodSync(join(path, "pg_dump"), 0o755);
    vi.stubEnv("PATH", `${path}:${process.env.PATH}`);
  }

  test("three nights: the second dump is cut off, which is found, not counted, and makes the service's health red", async () => {
    await signUp(url, { fullName: "Ada" });
    // The middle of the dump is in its rows, and not in the list of its tables.
    await run(`insert into private.job_runs (job, key, results)
      select 'large', 'all', jsonb_agg(md5(n::text)) from generate_series(1, 50000) n`);
    night(0, -26);
    expect(await late()).toEqual({ status: 200, late: [] });
    night(0, 0.1);
    expect(await late()).toEqual({ status: 503, late: ["backup"] });

    night(0);
    await saveTo("nights");
    expect(await late()).toEqual({ status: 200, late: [] });
    const [first] = await backups();
    expect(first).toEqual({
      started_at: FIRST_NIGHT,
      results: { bytes: expect.any(Number), tables: expect.any(Number), files: 1 },
    });
    expect(first.results.tables).toBeGreaterThan(80);

    night(1);
    cutDumps();
    await expect(saveTo("nights")).rejects.toThrow("pg_restore: error: ");
    vi.unstubAllEnvs();
    expect(await backups()).toHaveLength(1);
    expect(await late()).toEqual({ status: 200, late: [] });
    night(1, 2.1);
    expect(await late()).toEqual({ status: 503, late: ["backup"] });

    night(2);
    // A crash in the middle of a backup leaves its parts.
    for (const name of [NIGHTS[1], NIGHTS[2]])
      writeFileSync(join(folder, "nights", `nectar-${name}.dump.unfinished`), "PGDMP");
    await saveTo("nights");
    expect(await late()).toEqual({ status: 200, late: [] });
    const [one, , three] = NIGHTS;
    const saved = [one, three].flatMap((name) => [`nectar-${name}.dump`, `nectar-${name}.files.jsonl`]);
    expect(readdirSync(join(folder, "nights")).sort()).toEqual(saved);
    for (const name of saved) expect(statSync(join(folder, "nights", name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, "nights", saved[1] ?? ""), "utf8")).toBe(
      '{"key":"pictures/a picture ä.jpg","size":7}\n',
    );
  });

  test("one at a time is made, and backups that are not kept are removed, but no other files", async () => {
    const path = join(folder, "years");
    night(60);
    const store = folderStore(path);
    let second: unknown;
    await saveTo("years", {
      ...store,
      async add(name, file) {
        second ??= await saveTo("years").catch((error: unknown) => error);
        await store.add(name, file);
      },
    });
    expect(second).toMatchObject({ message: "Another backup of this database is being made." });
    const earlier = ["0105", "0106", "0801", "0802", "0803", "0804", "0805", "0806", "0807"];
    for (const day of earlier) writeFileSync(join(path, `nectar-2027${day}T020000Z.dump`), "");
    writeFileSync(join(path, "notes-of-0105.dump"), "");
    // Nights in which the dump could not be stored.
    const failed = ["0808", "0809", "0810", "0811", "0812", "0813"].map(
      (day) => `nectar-2027${day}T020000Z.files.jsonl`,
    );
    for (const name of failed) writeFileSync(join(path, name), "");
    night(61);
    await saveTo("years");
    const left = readdirSync(path).filter((name) => name.endsWith(".dump"));
    const days = left.sort().map((name) => name.replace(/^nectar-2027(\d+)T.*$/, "$1"));
    // The 5th of January and the 2nd of August have later days in their weeks and months.
    const kept = earlier.filter((day) => day !== "0105" && day !== "0802");
    expect(days).toEqual([...kept, "0814", "0815", "notes-of-0105.dump"]);
    expect(readdirSync(path).filter((name) => failed.includes(name))).toEqual([]);
  });

  test("the program stores backups in a bucket, and makes one a night", async () => {
    const environment = {
      ...files,
      DATABASE_ADMIN_URL: url,
      BACKUP_FOLDER: join(folder, "passing"),
      BACKUP_BUCKET: files.S3_BUCKET,
      BACKUP_ENDPOINT: files.S3_ENDPOINT,
      BACKUP_ACCESS_KEY_ID: files.S3_ACCESS_KEY_ID,
      BACKUP_SECRET_ACCESS_KEY: files.S3_SECRET_ACCESS_KEY,
    };
    await run("delete from private.job_runs where job = 'backup'");
    const nightly = startProgram(CLI, ["--nightly"], environment);
    await expect
      .poll(nightly.output)
      .toMatch(/^Saved nectar-\d{8}T\d{6}Z: \d+ tables in \d+ bytes, and a list of 1 files\.$/m);
    nightly.child.kill("SIGTERM");
    expect(await nightly.ended).toBe(143);
    expect(await storedKeys(files.S3_ENDPOINT, "backups/")).toEqual([
      expect.stringMatching(/\.dump$/),
      expect.stringMatching(/\.files\.jsonl$/),
    ]);
    expect(readdirSync(environment.BACKUP_FOLDER)).toEqual([]);

    await run("delete from private.job_runs where job = 'backup'");
    const failing = startProgram(CLI, ["--nightly"], { ...environment, BACKUP_ENDPOINT: "http://127.0.0.1:9" });
    await expect.poll(failing.output, { timeout: 30_000 }).toMatch(/^No backup was made: [\s\S]*ECONNREFUSED/m);
    failing.child.kill("SIGTERM");
    expect(await failing.ended).toBe(143);

    expect(await runProgram(CLI, ["--nigthly"], environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining("Usage:"),
    });
  });

  test("the service of two machines records its backup as well", async () => {
    night(4);
    expect(await late()).toEqual({ status: 503, late: ["backup"] });
    const unit = readFileSync(join(root, "docs/two-machines/nectar-backup.service"), "utf8");
    const [, record = ""] = /^ExecStart=psql .* -c "(.*)"$/m.exec(unit) ?? [];
    await run("delete from private.job_runs where job = 'backup'");
    await run(record);
    // The database has another clock.
    await run(`update private.job_runs set started_at = '${now.toISOString()}', finished_at = '${now.toISOString()}'
      where job = 'backup' and finished_at is not null`);
    expect(await late()).toEqual({ status: 200, late: [] });
  });

  test("the commands of the page restore what a backup has written", async () => {
    night(2);
    await saveTo("nights");
    const server = { urlOf: (name: string) => databaseOf(running.cluster, name).adminUrl };
    const stdout = await runByPage(RESTORE, {
      folder: mkdtempSync(join(folder, "server-")),
      backups: join(folder, "nights"),
      oldUrl: url,
      newUrl: await createHostedProject(server, "lost"),
      postgresUrl: server.urlOf("lost"),
    });
    expect(stdout).toContain("Applied ");
    await withConnection(server.urlOf("lost"), async (restored) => {
      const differences = compareFacts(await withConnection(url, readFacts), await readFacts(restored));
      // The last backup was recorded after its dump.
      expect(differences).toEqual([expect.stringMatching(/^rows of private\.job_runs: /)]);
      expect(await findLedgerProblems(restored)).toEqual([]);
    });
    await closeSuperuser(server.urlOf("lost"));
  });
});
