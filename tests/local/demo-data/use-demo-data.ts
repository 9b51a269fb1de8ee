import { beforeAll, expect } from "vitest";
import type * as z from "zod";
import { demoAccounts, personNamed } from "#local/demo/data";
import { signUpDemoAccounts } from "#local/demo/people";
import { seedDemoData } from "#local/demo/seed";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { useApi } from "#tests/api";
import type { Filling } from "#tests/filled-database";
import { query, tokenFor } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";

/** The demo data, without its images and its game. The first attempt was interrupted after the sign-ups. */
export const DEMO_DATA: Filling = {
  name: "demo_data",
  async fill(_, adminUrl) {
    const supabase = await startTestSupabase(adminUrl);
    const target = { adminUrl, supabaseUrl: supabase.url, publishableKey: LOCAL_SUPABASE_KEYS.publishableKey };
    await signUpDemoAccounts(target);
    await seedDemoData(target).finally(supabase.stop);
  },
};

/** The demo data in a database of the calling test file, and the API over it. */
export function useDemoData() {
  const api = useApi({ filling: DEMO_DATA, environment: { SUPER_ADMIN_EMAILS: personNamed("admin").email } });

  // The demo data is that of the day on which it was written, which may be yesterday by now.
  beforeAll(async () => {
    const { at } = await api.one<{ at: Date }>`select max(created_at) as at from auth.identities`;
    api.at(at);
  });

  async function tokenOf(email: string): Promise<string> {
    const { id } = await api.one<{ id: string }>`select id from auth.users where email = ${email}`;
    return tokenFor({ sub: id, email });
  }

  return {
    tokenOf,
    /** The token of Robin, the member of the demo data with a published password. */
    demoToken: () => tokenOf(demoAccounts[0].email),
    /** Reads from the API, in the shape that the API promises. */
    async get<Shape extends z.ZodType>(path: string, token: string, shape: Shape): Promise<z.infer<Shape>> {
      const response = await api.get(path, { token });
      expect(response.status).toBe(200);
      return shape.parse(response.body);
    },
    get adminUrl() {
      return api.adminUrl;
    },
    rows: <Result extends object>(sql: string) => query<Result>(api.adminUrl, sql),
    /** @param from what follows `from` in a query */
    async count(from: string): Promise<number> {
      const [row] = await query<{ count: number }>(api.adminUrl, `select count(*)::int as count from ${from}`);
      return row?.count ?? 0;
    },
    /** The different values of a column. */
    async kinds(column: string, table: string): Promise<string[]> {
      const rows = await query<{ kind: string }>(
        api.adminUrl,
        `select distinct ${column}::text as kind from ${table} order by 1`,
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
