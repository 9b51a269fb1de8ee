import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { migrateLocally } from "#local/database/local-migrations";
import { databaseOf, dropDatabase } from "#local/database/test-cluster";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type Client, clientOf } from "#tests/client";
import { closeSuperuser, query } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";

const PASSWORD = "correct horse battery";
const CHIEF = "chief@example.test";
let adminUrl: string;
let client: Client;
let ada: { id: string; token: string };
let chief: { id: string; token: string };
/** A user without a name and an address, as they can be created in the dashboard. */
const bare = randomUUID();

// A Supabase project that is older than the service: Auth has users when the migrations are applied.
beforeAll(async () => {
  const cluster = inject("testCluster");
  const name = `adopted_${randomUUID().slice(0, 8)}`;
  await query(cluster.adminUrl, `create database ${name}`);
  const database = databaseOf(cluster, name);
  adminUrl = database.adminUrl;
  const supabase = await startTestSupabase(adminUrl);
  try {
    const supabaseClient = createClient(supabase.url, LOCAL_SUPABASE_KEYS.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    ada = await signUp(supabaseClient, "ada@example.test", { full_name: "Ada Lovelace" });
    chief = await signUp(supabaseClient, CHIEF, {});
  } finally {
    await supabase.stop();
  }
  await query(adminUrl, "insert into auth.users (id) values ($1)", [bare]);
  await migrateLocally(adminUrl);
  const services = servicesFor(
    readConfig({
      DATABASE_URL: database.apiUrl,
      SUPABASE_URL: supabase.url,
      SUPABASE_JWT_SECRET: LOCAL_SUPABASE_KEYS.jwtSecret,
      SUPABASE_JWT_ISSUER: "none",
      SUPER_ADMIN_EMAILS: CHIEF,
    }),
    { logger: createLogger("error") },
  );
  client = clientOf(routeToGroups(services));
  return async () => {
    await services.database.close();
    await closeSuperuser(adminUrl);
    await closeSuperuser(cluster.adminUrl);
    await dropDatabase(cluster, name);
  };
});

describe("users who signed up before the migrations were applied", () => {
  test("have everything that signing up makes, once", async () => {
    const rows = await query(
      adminUrl,
      `select p.id, p.full_name, p.is_ai, a.email, a.drops_balance,
         (select array_agg(t.type::text || ' ' || t.amount) from nectar.drop_transactions t where t.user_id = p.id) as ledger,
         (select b.level from nectar.user_badges b where b.user_id = p.id) as badge_level,
         (select array_agg(m.level) from nectar.badge_milestones m where m.user_id = p.id) as milestones
       from nectar.profiles p join nectar.accounts a on a.user_id = p.id
       where p.id = any ($1) order by a.email`,
      [[ada.id, chief.id, bare]],
    );
    const all = { is_ai: false, drops_balance: 50, ledger: ["signup_bonus 50"], badge_level: 1, milestones: [1] };
    expect(rows).toEqual([
      { ...all, id: ada.id, full_name: "Ada Lovelace", email: "ada@example.test" },
      { ...all, id: chief.id, full_name: null, email: CHIEF },
      { ...all, id: bare, full_name: null, email: null },
    ]);
  });

  test("use the service like other users", async () => {
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
