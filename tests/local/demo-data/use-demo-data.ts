import { createClient } from "@supabase/supabase-js";
import { beforeAll, expect } from "vitest";
import type * as z from "zod";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { demoAccounts } from "#local/demo/data";
import { seedDemoData } from "#local/demo/seed";
import type { SeedTarget } from "#local/demo/target";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type Client, clientOf } from "#tests/client";
import { useDatabase } from "#tests/database";
import { query } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";

/** The demo data in a database of the calling test file, with Supabase Lite and the API over it. */
export function useDemoData() {
  const database = useDatabase({ moments: "now" });
  let supabaseUrl = "";
  let client: Client | undefined;

  const target = (): SeedTarget => ({ adminUrl: database.adminUrl, supabaseUrl, ...LOCAL_SUPABASE_KEYS });

  beforeAll(async () => {
    const supabase = await startTestSupabase(database.adminUrl);
    supabaseUrl = supabase.url;
    const seededAt = new Date();
    await seedDemoData(target());
    const config = readConfig({
      DATABASE_URL: database.apiUrl,
      SUPABASE_URL: supabaseUrl,
      SUPABASE_SECRET_KEY: LOCAL_SUPABASE_KEYS.secretKey,
      SUPABASE_JWT_SECRET: LOCAL_SUPABASE_KEYS.jwtSecret,
      SUPABASE_JWT_ISSUER: "none",
      SUPER_ADMIN_EMAILS: "admin@nectar.local",
    });
    // The demo data is that of the day on which it was written.
    const clock = { now: () => seededAt };
    const services = { ...servicesFor(config, { logger: createLogger("error") }), clock };
    client = clientOf(routeToGroups(services));
    return async () => {
      await services.database.close();
      await supabase.stop();
    };
  });

  /** Signs in as any client does. */
  async function tokenOf(email: string, password: string): Promise<string> {
    const auth = createClient(supabaseUrl, LOCAL_SUPABASE_KEYS.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    }).auth;
    const { data, error } = await auth.signInWithPassword({ email, password });
    if (error !== null) throw error;
    expect(data.user.email).toBe(email);
    return data.session.access_token;
  }

  return {
    target,
    tokenOf,
    /** The token of Robin, the member of the demo data with a published password. */
    demoToken: () => tokenOf(demoAccounts[0].email, demoAccounts[0].password),
    /** Reads from the API, in the shape that the API promises. */
    async get<Shape extends z.ZodType>(path: string, token: string, shape: Shape): Promise<z.infer<Shape>> {
      const response = await client?.get(path, { token });
      expect(response?.status).toBe(200);
      return shape.parse(response?.body);
    },
    rows: <Result extends object>(sql: string) => query<Result>(database.adminUrl, sql),
    /** @param from what follows `from` in a query */
    async count(from: string): Promise<number> {
      const [row] = await query<{ count: number }>(database.adminUrl, `select count(*)::int as count from ${from}`);
      return row?.count ?? 0;
    },
    /** The different values of a column. */
    async kinds(column: string, table: string): Promise<string[]> {
      const rows = await query<{ kind: string }>(
        database.adminUrl,
        `select distinct ${column}::text as kind from ${table} order by 1`,
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
