import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { useDatabase } from "#tests/database";
import { useSupabase } from "./supabase-lite.ts";

const database = useDatabase();
const supabase = useSupabase(database);
const PASSWORD = "correct horse battery";

let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterAll(() => admin.end());

describe("signing up with supabase-js", () => {
  const signUp = (email: string, data: object = {}) =>
    supabase.client().auth.signUp({ email, password: PASSWORD, options: { data } });

  it("creates profile, account and the bonus of 50 drops in one transaction", async () => {
    const profile = { full_name: "Ada Lovelace", avatar_url: "https://example.test/ada.png" };
    const { data, error } = await signUp("ada@example.test", profile);
    expect(error).toBeNull();
    const { rows } = await admin.query(
      `select p.full_name, p.avatar_url, p.is_ai, a.email, a.drops_balance, t.type, t.amount, t.balance_after,
              p.xmin = a.xmin and a.xmin = t.xmin as together
       from nectar.profiles p
       join nectar.accounts a on a.user_id = p.id
       join nectar.drop_transactions t on t.user_id = p.id
       where p.id = $1`,
      [data.user?.id],
    );
    const account = { is_ai: false, email: "ada@example.test", drops_balance: 50 };
    const bonus = { type: "signup_bonus", amount: 50, balance_after: 50, together: true };
    expect(rows).toEqual([{ ...profile, ...account, ...bonus }]);
  });

  it("creates a profile without a name if the database cannot store the name", async () => {
    const { data, error } = await signUp("nul@example.test", { full_name: "Ada\u0000" });
    expect(error).toBeNull();
    const { rows } = await admin.query("select full_name from nectar.profiles where id = $1", [data.user?.id]);
    expect(rows).toEqual([{ full_name: null }]);
  });

  it("gives the bonus once, however often the user signs in", async () => {
    const credentials = { email: "eve@example.test", password: PASSWORD };
    await supabase.client().auth.signUp(credentials);
    for (let time = 0; time < 3; time += 1) {
      const { error } = await supabase.client().auth.signInWithPassword(credentials);
      expect(error).toBeNull();
    }
    await supabase.client().auth.signUp(credentials);
    const { rows } = await admin.query(
      `select count(*)::int as movements, sum(t.amount)::int as drops from nectar.drop_transactions t
       join nectar.accounts a on a.user_id = t.user_id where a.email = $1`,
      [credentials.email],
    );
    expect(rows).toEqual([{ movements: 1, drops: 50 }]);
  });

  it("creates no user if the bonus cannot be booked", async () => {
    await admin.query("alter table nectar.drop_transactions add constraint broken check (amount <> 50) not valid");
    try {
      const { error } = await signUp("grace@example.test");
      expect(error).not.toBeNull();
      const { rows } = await admin.query("select from auth.users where email = 'grace@example.test'");
      expect(rows).toEqual([]);
    } finally {
      await admin.query("alter table nectar.drop_transactions drop constraint broken");
    }
  });

  it("succeeds with meaningless metadata", async () => {
    const metadata = { full_name: "x".repeat(500), avatar_url: "javascript:alert(1)", is_ai: true, role: "admin" };
    const { data, error } = await signUp("odd@example.test", metadata);
    expect(error).toBeNull();
    const { rows } = await admin.query(
      `select char_length(p.full_name) as length, p.avatar_url, p.is_ai, r.role
       from nectar.profiles p left join nectar.user_roles r on r.user_id = p.id where p.id = $1`,
      [data.user?.id],
    );
    expect(rows).toEqual([{ length: 100, avatar_url: null, is_ai: false, role: null }]);
  });

  it("makes no user synthetic who claims it, in any field", async () => {
    const mark = { nectar: "synthetic" };
    const body = { email: "robot@example.test", password: PASSWORD, data: mark, app_metadata: mark };
    const response = await fetch(`${supabase.url()}/auth/v1/signup`, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: LOCAL_SUPABASE_KEYS.publishableKey },
      body: JSON.stringify({ ...body, raw_app_meta_data: mark }),
    });
    expect(response.status).toBe(200);
    const { rows } = await admin.query(
      `select p.is_ai, a.drops_balance from nectar.profiles p join nectar.accounts a on a.user_id = p.id
       where a.email = 'robot@example.test'`,
    );
    expect(rows).toEqual([{ is_ai: false, drops_balance: 50 }]);
  });
});
