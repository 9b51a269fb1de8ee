import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, isPortInUse } from "@nectar/local/ports";
import { startPostgres } from "@nectar/local/postgres";
import { removeCluster } from "@nectar/local/postgres-location";
import { sweepTestFolders } from "@nectar/local/test-folders";
import pg from "pg";
import { expect, test } from "vitest";
import { startProgram } from "./dev-process.ts";

test("a cluster has the same settings on every machine, and runs in a folder that other users cannot enter", async () => {
  // mkdtemp closes the folder to others: under root that includes the user that PostgreSQL runs as.
  const folder = mkdtempSync(join(tmpdir(), "nectar-closed-test-"));
  const server = await startPostgres({
    dataFolder: folder,
    port: await freePort(),
    password: "p",
    durability: "throwaway",
  });
  try {
    const isRoot = process.getuid?.() === 0;
    expect(server.outside === undefined).toBe(!isRoot);
    const client = new pg.Client({ connectionString: server.urlOf("postgres") });
    await client.connect();
    const { rows } = await client.query(
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
              current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses
         from pg_database where datname = 'template1'`,
    );
    await client.end();
    expect(rows).toEqual([{ encoding: "UTF8", provider: "b", locale: "C.UTF-8", zone: "UTC", addresses: "127.0.0.1" }]);
  } finally {
    await server.stop();
    removeCluster(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a killed test run leaves no server, and the next run removes its files", async () => {
  // A temporary folder of its own: other runs on this machine use the shared one.
  const temporary = mkdtempSync(join(tmpdir(), "nectar-killed-test-"));
  chmodSync(temporary, 0o711);
  const run = startProgram("test-cluster-fixture.ts", [], { TMPDIR: temporary });
  while (!run.output().includes("ready")) await sleep(50);
  const port = Number(/cluster (\d+)/.exec(run.output())?.[1]);
  expect(await isPortInUse(port)).toBe(true);
  run.child.kill("SIGKILL");
  await run.ended;
  for (let waited = 0; waited < 400 && (await isPortInUse(port)); waited += 1) await sleep(50);
  expect(await isPortInUse(port)).toBe(false);
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^nectar-test-/)]);
  await sweepTestFolders(temporary);
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
});
