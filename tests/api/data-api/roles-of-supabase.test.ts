import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setStage } from "../../database/support/stage.ts";
import { useDatabase } from "../../support/database.ts";
import { everything, ourTables } from "./everything.ts";
import { useSupabase } from "./supabase-lite.ts";

const database = useDatabase();
const supabase = useSupabase(database);

let admin: pg.Client;
let author: string;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await supabase.openADoor(admin);
  author = (await setStage(database.adminUrl, admin)).ids.owner;
});
afterAll(() => admin.end());

describe.each(["anon", "authenticated"])("the role %s", (role) => {
  it("reads and writes nothing, even if somebody grants it everything", async () => {
    const before = await everything(admin);
    const grant = ["nectar", "private"]
      .map(
        (schema) =>
          `grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role};
           grant execute on all functions in schema ${schema} to ${role};`,
      )
      .join("\n");
    for (const { schema, table, columns } of await ourTables(admin)) {
      const name = `${schema}.${table}`;
      const [column] = columns;
      expect((await as("postgres", "", `select from ${name}`)).rowCount, `${name} is not empty`).toBeGreaterThan(0);
      expect((await as(role, grant, `select from ${name}`)).rowCount, name).toBe(0);
      expect((await as(role, grant, `update ${name} set ${column} = ${column}`)).rowCount, name).toBe(0);
      expect((await as(role, grant, `delete from ${name}`)).rowCount, name).toBe(0);
    }
    for (const row of [
      "nectar.notebooks (user_id, name) values ('$author', 'Forged')",
      "nectar.journal_entries (user_id, title) values ('$author', 'Forged')",
      "nectar.organizations (owner_id, name) values ('$author', 'Forged')",
      "nectar.user_roles (user_id, role) values ('$author', 'super_admin')",
    ]) {
      const insert = as(role, grant, `insert into ${row.replace("$author", author)}`);
      await expect(insert, row).rejects.toMatchObject({ code: "42501" });
    }
    expect(await everything(admin)).toEqual(before);
  });
});

/** Runs a statement as a role of Supabase with the author's claims, after a preparation, and rolls everything back. */
async function as(role: string, preparation: string, statement: string): Promise<pg.QueryResult> {
  await admin.query("begin");
  try {
    if (preparation !== "") await admin.query(preparation);
    await admin.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
      role,
      JSON.stringify({ sub: author, role }),
    ]);
    return await admin.query(statement);
  } finally {
    await admin.query("rollback");
  }
}
