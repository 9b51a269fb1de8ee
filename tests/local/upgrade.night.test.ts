import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
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
import { fill, signedInRoutes } from "#tests/access-suite";
import { clientOf } from "#tests/client";
import { asSuperuser, closeSuperuser, TEST_JWT_SECRET, tokenFor } from "#tests/people";
import { readWorld, WORLD } from "../world/world.ts";
import { commandsOf, RESTORE, runByPage } from "./restore-by-page.ts";

// npm run upgrade:drill, which docs/upgrade-postgresql.md describes
const { NECTAR_NEW_POSTGRES: programs = "/usr/lib/postgresql/18/bin" } = process.env;
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "nectar-upgrade-"));
const PEOPLE = 12;

/** Movements that add up, instead of the invented ones of the world. */
const LEDGER = `
  set session_replication_role = replica;
  truncate nectar.drop_transactions, nectar.monthly_drop_awards, nectar.tone_pack_purchases;
  insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
    select id, 'signup_bonus', 50, 50, 'Welcome', 'signup_bonus', '2026-01-01' from nectar.profiles where not is_ai;
  update nectar.accounts set drops_balance = 50 where user_id in (select user_id from nectar.drop_transactions);
  set session_replication_role = origin`;

describe.runIf(existsSync(join(programs, "pg_dump")))("the upgrade of PostgreSQL", () => {
  let old: RunningTestCluster;
  let upgraded: RunningTestCluster;
  const urls = { old: "", upgraded: "" };
  beforeAll(async () => {
    [old, upgraded] = await Promise.all([startTestCluster(), startTestCluster(programs)]);
    urls.old = (await cloneDatabase(old.cluster, "live")).adminUrl;
    urls.upgraded = databaseOf(upgraded.cluster, "upgraded").adminUrl;
    await asSuperuser(urls.old, async (admin) => {
      await WORLD.fill(admin, urls.old);
      await admin.query(LEDGER);
    });
  });
  afterAll(async () => {
    for (const url of Object.values(urls)) await closeSuperuser(url);
    for (const { stop } of [old, upgraded]) await stop();
    rmSync(folder, { recursive: true });
  });

  /** What people get from every GET endpoint that needs no role, about themselves and about things of one of them. */
  async function responsesOf(cluster: RunningTestCluster, name: string): Promise<Record<string, string>> {
    const services = servicesFor(
      readConfig({
        DATABASE_URL: databaseOf(cluster.cluster, name).apiUrl,
        SUPABASE_URL: "https://auth.example.test",
        SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
        SUPABASE_JWT_ISSUER: "none",
        LOG_LEVEL: "silent",
      }),
      { clock: { now: () => new Date("2026-03-04T12:00:00Z") } },
    );
    const api = clientOf(routeToGroups(services));
    const { adminUrl } = databaseOf(cluster.cluster, name);
    const { ids, world } = await asSuperuser(adminUrl, async (admin) => {
      const { rows } = await admin.query<{ id: string }>("select id from auth.users order by id limit $1", [PEOPLE]);
      return { ids: rows.map(({ id }) => id), world: await readWorld(admin) };
    });
    const { entry, team, notebook, pack, organization } = world;
    const things: Record<string, string> = {
      "/api/journal/{id}": entry,
      "/api/notebooks/{id}": notebook,
      "/api/tone-packs/{id}": pack,
      "/api/teams/{id}": team,
      "/api/organizations/{id}": organization,
    };
    const routes = signedInRoutes().filter(({ method, forAdmins }) => method === "GET" && !forAdmins);
    const responses: Record<string, string> = {};
    for (const id of new Set([world.reader, ...ids])) {
      const token = await tokenFor({ sub: id, email: "someone@example.test" });
      for (const { path } of routes) {
        const of = Object.keys(things).find((prefix) => path.startsWith(prefix));
        const values = { date: "2026-03-04", ...(of !== undefined && { id: things[of] ?? "" }) };
        const { status, text } = await api.get(fill(path, values), { token });
        responses[`${path} for ${id}`] = `${status} ${text}`;
      }
    }
    await services.database.close();
    return responses;
  }

  test("the commands of the page lead to the next version, with the same rows, ledger, and responses to all", async () => {
    cpSync(join(root, "docker"), join(folder, "docker"), { recursive: true });
    for (const file of ["compose.yaml", "Dockerfile"]) cpSync(join(root, file), join(folder, file));
    const before = await responsesOf(old, "live");
    const newUrl = await createHostedProject(
      { urlOf: (name) => databaseOf(upgraded.cluster, name).adminUrl },
      "upgraded",
    );
    const startedAt = performance.now();
    await runByPage([...commandsOf("upgrade-postgresql.md", "## On one server", "## On two"), RESTORE[1] ?? ""], {
      folder,
      backups: join(folder, "backups"),
      oldUrl: urls.old,
      newUrl,
      postgresUrl: urls.upgraded,
      programs,
    });
    console.log(`The upgrade took ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    for (const file of ["Dockerfile", "docker/postgres/Dockerfile"])
      expect(read(file)).toContain("\nFROM postgres:18-");
    expect(read("docker/postgres/Dockerfile")).toContain(" postgresql-18-wal2json ");
    expect(read("compose.yaml")).toMatch(/^ {6}- database-18:\/var\/lib\/postgresql\n.*^volumes:\n {2}database-18:$/ms);
    expect(read("compose.yaml")).not.toContain("database:");

    await withConnection(urls.upgraded, async (client) => {
      const saved = await withConnection(urls.old, readFacts);
      // The backup was recorded after its dump.
      expect(compareFacts(saved, await readFacts(client))).toEqual([
        expect.stringMatching(/^rows of private\.job_runs: /),
      ]);
      expect(await findLedgerProblems(client)).toEqual([]);
    });
    await asSuperuser(urls.upgraded, (admin) => admin.query("vacuum analyze"));
    const after = await responsesOf(upgraded, "upgraded");
    const found = Object.values(after).filter((response) => response.startsWith("200 ")).length;
    console.log(`${Object.keys(after).length} responses, ${found} of them with 200.`);
    expect(Object.keys(after).filter((request) => after[request] !== before[request])).toEqual([]);
    expect(found).toBeGreaterThan(PEOPLE * 30);
  });
});
