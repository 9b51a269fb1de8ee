import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "#tests/database";
import { useSupabase } from "./supabase-lite.ts";

const database = useDatabase();
const supabase = useSupabase(database);

let admin: pg.Client;
let ada: { id: string; token: string };
let ben: { id: string; token: string };
beforeAll(async () => {
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  [ada, ben] = [await signUp("ada@example.test"), await signUp("ben@example.test")];
  for (const { id } of [ada, ben]) {
    await admin.query(
      `insert into nectar.token_usage (user_id, usage_type, model, input_tokens, output_tokens, cost_usd, created_at)
       values ($1, 'tone_analysis', 'small', 100, 200, 0.000135, '2028-02-29T23:59:59.999Z')`,
      [id],
    );
  }
});
afterAll(() => admin.end());

describe("get_user_token_usage_monthly through supabase-js", () => {
  const ask = (token: string | undefined, target: string | null) =>
    supabase.client(token).rpc("get_user_token_usage_monthly", { user_id: target, year: 2028, month: 2 });

  it("returns users their own month", async () => {
    const { data, error } = await ask(ada.token, ada.id);
    expect(error).toBeNull();
    const breakdown = { tone: { tokens: 300, cost_usd: 0.000135, count: 1 }, packs: { count: 0 } };
    expect(data).toMatchObject([{ month: "2028-02", total_tokens: 300, total_cost_usd: 0.000135, breakdown }]);
  });

  it.each([
    ["a person who asks for another", () => ask(ada.token, ben.id)],
    ["a user who asks for no user", () => ask(ada.token, null)],
    ["an anonymous caller who asks for a user", () => ask(undefined, ada.id)],
    ["an anonymous caller who asks for no user", () => ask(undefined, null)],
  ])("refuses %s", async (_, asked) => {
    const { data, error } = await asked();
    expect(data).toBeNull();
    expect(error?.code).toBe("42501");
  });
});

it("is refused to a token whose account was deleted", async () => {
  const ghost = await signUp("ghost@example.test");
  const ask = () =>
    supabase.client(ghost.token).rpc("get_user_token_usage_monthly", { user_id: ghost.id, year: 2028, month: 2 });
  expect((await ask()).error).toBeNull();
  await admin.query("delete from auth.users where id = $1", [ghost.id]);
  const { data, error } = await ask();
  expect([data, error?.code]).toEqual([null, "42501"]);
});

async function signUp(email: string): Promise<{ id: string; token: string }> {
  const { data, error } = await supabase.client().auth.signUp({ email, password: "correct horse battery" });
  if (error !== null) throw error;
  if (data.user === null || data.session === null) throw new Error("Signing up gave no session.");
  return { id: data.user.id, token: data.session.access_token };
}
