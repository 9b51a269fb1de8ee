import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localSupabaseKeys } from "@nectar/local/local-defaults";
import { hasPendingMigrations } from "@nectar/local/pending-migrations";
import { StartupProblem } from "@nectar/local/startup-problem";
import { migrate } from "@nectar/local/supabase";
import { type RunningTestCluster, startTestCluster } from "@nectar/local/test-cluster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asSuperuser } from "../support/people.ts";

const dataFolder = mkdtempSync(join(tmpdir(), "nectar-migrations-"));
let running: RunningTestCluster;
let databaseUrl: string;

beforeAll(async () => {
  running = await startTestCluster();
  const url = new URL(running.cluster.adminUrl);
  await asSuperuser(url.href, (client) => client.query(`create database kept template ${running.cluster.template}`));
  url.pathname = "/kept";
  databaseUrl = url.href;
}, 90_000);

afterAll(async () => {
  await running?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}, 60_000);

const changeHistory = (change: string) =>
  asSuperuser(databaseUrl, (client) => client.query(`update supabase_migrations.schema_migrations ${change}`));

describe("kept data", () => {
  test("is used as it is when the migrations are the same", async () => {
    expect(await hasPendingMigrations(databaseUrl)).toBe(false);
  });

  test.each([
    [
      "was renamed",
      "set version = version || '9' where name = 'sharing'",
      "set version = left(version, 14) where name = 'sharing'",
    ],
    [
      "was rewritten",
      "set statements = array_append(statements, 'select 1') where name = 'sharing'",
      "set statements = trim_array(statements, 1) where name = 'sharing'",
    ],
  ])("is refused with the way to start over when a migration %s", async (_, change, undo) => {
    await changeHistory(change);
    const start = migrate({ dataFolder, databaseUrl, keys: localSupabaseKeys });
    await expect(start).rejects.toThrow(StartupProblem);
    await expect(start).rejects.toThrow("npm run dev -- --fresh");
    await changeHistory(undo);
  });

  test("waits for a migration that is new", async () => {
    await asSuperuser(databaseUrl, (client) =>
      client.query(
        `delete from supabase_migrations.schema_migrations
         where version = (select max(version) from supabase_migrations.schema_migrations)`,
      ),
    );
    expect(await hasPendingMigrations(databaseUrl)).toBe(true);
  });
});
