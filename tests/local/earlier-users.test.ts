import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@nectar/config/config";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";
import { allowApiLogin, apiUrlOf } from "@nectar/local/api-login";
import { localApiPassword, localSupabaseKeys } from "@nectar/local/local-defaults";
import { freePort } from "@nectar/local/ports";
import { migrate, startSupabase } from "@nectar/local/supabase";
import { type RunningTestCluster, startTestCluster } from "@nectar/local/test-cluster";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeToGroups } from "../../functions/all.ts";
import { type Client, clientOf } from "../support/client.ts";
import { asSuperuser } from "../support/people.ts";

const PASSWORD = "correct horse battery";
const CHIEF = "chief@example.test";
const folder = mkdtempSync(join(tmpdir(), "nectar-earlier-users-"));
let cluster: RunningTestCluster;
let adminUrl: string;
let closeApi: (() => Promise<void>) | undefined;
let client: Client;
let ada: { id: string; token: string };
let chief: { id: string; token: string };
/** Made in the dashboard, say: neither a name nor an address. */
const bare = randomUUID();

// A project of Supabase that is older than the service: Auth has users when the migrations are applied.
beforeAll(async () => {
  cluster = await startTestCluster();
  const url = new URL(cluster.cluster.adminUrl);
  await asSuperuser(url.href, (client) => client.query("create database adopted"));
  url.pathname = "/adopted";
  adminUrl = url.href;
  const place = { dataFolder: folder, databaseUrl: adminUrl, keys: localSupabaseKeys };
  const supabase = await startSupabase({ ...place, port: await freePort() });
  try {
    const client = createClient(supabase.url, localSupabaseKeys.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    ada = await signUp(client, "ada@example.test", { full_name: "Ada Lovelace" });
    chief = await signUp(client, CHIEF, {});
  } finally {
    await supabase.stop();
  }
  await asSuperuser(adminUrl, (client) => client.query("insert into auth.users (id) values ($1)", [bare]));
  await migrate(place);
  await allowApiLogin(adminUrl, localApiPassword);
  const services = servicesFor(
    readConfig({
      DATABASE_URL: apiUrlOf(adminUrl, localApiPassword),
      SUPABASE_URL: supabase.url,
      SUPABASE_JWT_SECRET: localSupabaseKeys.jwtSecret,
      SUPABASE_JWT_ISSUER: "none",
      SUPER_ADMIN_EMAILS: CHIEF,
    }),
    { logger: createLogger("error") },
  );
  client = clientOf(routeToGroups(services));
  closeApi = () => services.database.close();
}, 90_000);

afterAll(async () => {
  await closeApi?.();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe("users who signed up before the migrations were applied", () => {
  test("have everything that signing up makes, once", async () => {
    const { rows } = await asSuperuser(adminUrl, (client) =>
      client.query(
        `select p.id, p.full_name, p.is_ai, a.email, a.drops_balance,
           (select array_agg(t.type::text || ' ' || t.amount) from nectar.drop_transactions t where t.user_id = p.id) as ledger,
           (select b.level from nectar.user_badges b where b.user_id = p.id) as badge_level,
           (select array_agg(m.level) from nectar.badge_milestones m where m.user_id = p.id) as milestones
         from nectar.profiles p join nectar.accounts a on a.user_id = p.id
         where p.id = any ($1) order by a.email`,
        [[ada.id, chief.id, bare]],
      ),
    );
    const all = { is_ai: false, drops_balance: 50, ledger: ["signup_bonus 50"], badge_level: 1, milestones: [1] };
    expect(rows).toEqual([
      { ...all, id: ada.id, full_name: "Ada Lovelace", email: "ada@example.test" },
      { ...all, id: chief.id, full_name: null, email: CHIEF },
      { ...all, id: bare, full_name: null, email: null },
    ]);
  });

  test("use the service as everybody else does", async () => {
    expect(await client.get("/api/user/profile", ada)).toMatchObject({
      status: 200,
      body: { profile: { full_name: "Ada Lovelace", drops_balance: 50, role: "user" } },
    });
    const entry = { title: "Old friend", content: "Here already." };
    expect((await client.post("/api/journal", ada, entry)).status).toBe(201);
    expect((await client.get(`/api/encouragement-drops/badge/${ada.id}`, ada)).status).toBe(200);
  });

  test("become super admins if the environment names their address", async () => {
    expect(await client.get("/api/user/profile", chief)).toMatchObject({
      status: 200,
      body: { profile: { role: "super_admin" } },
    });
    expect((await client.get("/api/admin/users", chief)).status).toBe(200);
  });
});

async function signUp(client: SupabaseClient, email: string, data: object) {
  const { data: signedUp, error } = await client.auth.signUp({ email, password: PASSWORD, options: { data } });
  if (error !== null) throw error;
  if (signedUp.user === null || signedUp.session === null) throw new Error("Signing up gave no session.");
  return { id: signedUp.user.id, token: signedUp.session.access_token };
}
