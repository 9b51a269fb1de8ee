import type { SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "#tests/database";
import { everything, ourFunctions, ourTables, privileges } from "./everything.ts";
import { useSupabase } from "./supabase-lite.ts";

const database = useDatabase();
const supabase = useSupabase(database);

/** Stands in an entry that the API would show to all users. */
const CANARY = "a text that the data API must not know";
/** The default of supabase-js is "public". */
const SCHEMAS = ["public", "nectar", "private"] as const;

let admin: pg.Client;
let ada: { id: string; token: string };

beforeAll(async () => {
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  ada = await signUp("ada@example.test");
  await supabase.openADoor(admin);
  const grace = await signUp("grace@example.test");
  for (const author of [ada, grace]) {
    await admin.query(
      `with entry as (
         insert into nectar.journal_entries (user_id, title, metadata_visibility, content_visibility)
         values ($1, $2, 'public', 'public') returning id)
       insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, $1, $2 from entry`,
      [author.id, CANARY],
    );
  }
});
afterAll(() => admin.end());

const CALLERS = [
  ["an anonymous caller", () => supabase.client()],
  ["a user with a token", () => supabase.client(ada.token)],
] as const;

/** Makes the attempts, four at a time. @returns the names of those that reached anything */
async function reachedBy(attempts: readonly Attempt[]): Promise<string[]> {
  const reached: string[] = [];
  const pending = attempts.values();
  const makeThem = async () => {
    for (const { name, run } of pending) {
      const { data, error, count } = await run();
      if (error === null || data !== null || (count ?? 0) > 0) reached.push(name);
    }
  };
  await Promise.all(Array.from({ length: 4 }, makeThem));
  return reached;
}

describe.each(["", "after Supabase has been restarted, "])("%sSupabase's own data API", (when) => {
  const isRestarted = when !== "";
  let privilegesBefore: unknown;
  if (isRestarted) {
    beforeAll(async () => {
      privilegesBefore = await privileges(admin);
      await supabase.restart();
    });
  }

  it.each(CALLERS)("lets %s read and change nothing", { timeout: 300_000 }, async (_, clientOf) => {
    const before = await everything(admin);
    const all = await attempts(clientOf());
    // After a restart the privileges are the same, and they are what has refused to write and to call.
    expect(await reachedBy(isRestarted ? all.filter(({ isRead }) => isRead) : all)).toEqual([]);
    expect(await everything(admin)).toEqual(before);
    if (isRestarted) expect(await privileges(admin)).toEqual(privilegesBefore);
  });

  it("works for tables that are meant for it", async () => {
    for (const client of [supabase.client(), supabase.client(ada.token)]) {
      expect((await client.from("open_door").select("*")).data).toHaveLength(1);
      expect((await client.from("open_door").update({ id: ada.id }).not("id", "is", null).select()).data).toHaveLength(
        1,
      );
    }
  });

  it("exposes neither our tables nor our functions", async () => {
    const text = await supabase.readDescription(ada.token);
    expect(text).not.toContain(CANARY);
    for (const { table } of await ourTables(admin)) expect(text).not.toContain(`/${table}"`);
    for (const { name } of await ourFunctions(admin)) expect(text).not.toContain(`/${name}"`);
  });
});

interface Reply {
  readonly data: unknown;
  readonly error: unknown;
  readonly count: number | null;
}

interface Attempt {
  readonly name: string;
  /** Whether it only reads a table. */
  readonly isRead: boolean;
  readonly run: () => PromiseLike<Reply>;
}

/** Every way to ask for our tables and functions through supabase-js. */
async function attempts(client: SupabaseClient): Promise<Attempt[]> {
  const all: Attempt[] = [];
  for (const schema of SCHEMAS) {
    const from = (table: string) => client.schema(schema).from(table);
    for (const { schema: home, table, columns } of await ourTables(admin)) {
      const column = columns[0] ?? "id";
      for (const name of schema === "public" ? [table, `${home}.${table}`] : [table]) {
        const row: object = { [column]: ada.id };
        const add = (command: string, run: Attempt["run"]) =>
          all.push({ name: `${command} ${name} in ${schema}`, isRead: command === "select and count", run });
        add("select and count", () => from(name).select("*", { count: "exact" }));
        add("insert", () => from(name).insert(row).select());
        add("update", () => from(name).update(row).eq(column, ada.id).select());
        add("delete", () => from(name).delete().not(column, "is", null).select());
      }
    }
    for (const { name, parameters } of await ourFunctions(admin)) {
      const values: Record<string, unknown> = Object.fromEntries(parameters.map((parameter) => [parameter, ada.id]));
      const run = () => client.schema(schema).rpc(name, values);
      all.push({ name: `call ${name} in ${schema}`, isRead: false, run });
    }
  }
  return all;
}

async function signUp(email: string): Promise<{ id: string; token: string }> {
  const { data, error } = await supabase.client().auth.signUp({ email, password: "correct horse battery" });
  if (error !== null) throw error;
  if (data.user === null || data.session === null) throw new Error("Signing up gave no session.");
  return { id: data.user.id, token: data.session.access_token };
}
