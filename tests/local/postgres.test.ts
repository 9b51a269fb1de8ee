import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "#local/database/postgres";
import { freePort, isPortInUse } from "#local/support/ports";
import { startProgram } from "./dev-process.ts";

test("a cluster has the same settings on every machine, and runs in a folder that other users cannot enter", async () => {
  // mkdtemp closes the folder to others: under root that includes the user that PostgreSQL runs as.
  const folder = mkdtempSync(join(tmpdir(), "nectar-closed-test-"));
  const server = await startPostgres({
    dataFolder: join(folder, "stack"),
    port: await freePort(),
    password: "p",
    durability: "throwaway",
  });
  const client = new pg.Client({ connectionString: server.urlOf("postgres") });
  await client.connect();
  const { rows } = await client.query(
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
            current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses
       from pg_database where datname = 'template1'`,
  );
  await client.end();
  await server.stop();
  rmSync(folder, { recursive: true });
  expect(rows).toEqual([{ encoding: "UTF8", provider: "b", locale: "C.UTF-8", zone: "UTC", addresses: "127.0.0.1" }]);
});

test("a killed test run leaves no server and no files", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "nectar-killed-test-"));
  // As /tmp is: PostgreSQL's user removes its files there.
  chmodSync(temporary, 0o1777);
  const run = startProgram("test-cluster-fixture.ts", [], { TMPDIR: temporary });
  await expect.poll(run.output).toContain("ready");
  const port = Number(/cluster (\d+)/.exec(run.output())?.[1]);
  expect(await isPortInUse(port)).toBe(true);
  run.child.kill("SIGKILL");
  await run.ended;
  await expect.poll(() => isPortInUse(port)).toBe(false);
  await expect.poll(() => readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
});
