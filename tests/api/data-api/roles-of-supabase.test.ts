import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "#tests/database";
import { setStage } from "../../database/support/stage.ts";
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
  it("can read and write nothing, even with all grants", async () => {
    const before = await everything(admin);
    const tables = await ourTables(admin);
    for (const { schema, table } of tables) {
      expect((await admin.query(`select from ${schema}.${table}`)).rowCount, `${table} is not empty`).toBeGreaterThan(
        0,
      );
    }
    await admin.query("begin");
    for (const schema of ["nectar", "private"]) {
      await admin.query(
        `grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role};
         grant execute on all functions in schema ${schema} to ${role}`,
      );
    }
    await admin.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
      role,
      JSON.stringify({ sub: author, role }),
    ]);
    for (const { schema, table, columns, writable } of tables) {
      const name = `${schema}.${table}`;
      const [column] = columns;
      // A view that joins tables can be written to by no one.
      const writes = writable ? [`update ${name} set ${column} = ${column}`, `delete from ${name}`] : [];
      for (const statement of [`select from ${name}`, ...writes]) {
        expect((await admin.query(statement)).rowCount, statement).toBe(0);
      }
    }
    for (const row of [
      "nectar.notebooks (user_id, name) values ('$author', 'Forged')",
      "nectar.journal_entries (user_id, title) values ('$author', 'Forged')",
      "nectar.organizations (owner_id, name) values ('$author', 'Forged')",
      "nectar.user_roles (user_id, role) values ('$author', 'super_admin')",
    ]) {
      await admin.query("savepoint before_insert");
      const insert = admin.query(`insert into ${row.replace("$author", author)}`);
      await expect(insert, row).rejects.toMatchObject({ code: "42501" });
      await admin.query("rollback to before_insert");
    }
    await admin.query("rollback");
    expect(await everything(admin)).toEqual(before);
  });
  afterEach(() => admin.query("rollback"));
});
