import { expect, test } from "vitest";
import { ownAsHostedProject } from "#local/database/hosted-project";
import { createSupabaseSchemas } from "#local/database/local-migrations";
import { withConnection } from "#local/support/connection";
import { migrate } from "#ops/migrate/migrate";
import { createEmptyDatabase, type EmptyDatabase } from "../support/empty-database.ts";

const ADA = "11111111-1111-4111-8111-111111111111";

/** A database that looks like a new hosted project, and the address of its role `postgres`. */
async function hostedProject(): Promise<{ database: EmptyDatabase; hostedUrl: string }> {
  const database = await createEmptyDatabase();
  await createSupabaseSchemas(database.adminUrl);
  return { database, hostedUrl: await ownAsHostedProject(database.adminUrl) };
}

/** Runs a statement as a role of Supabase. */
const as = (database: EmptyDatabase, role: string, statement: string) =>
  withConnection(database.adminUrl, async (client) => {
    await client.query(`set role ${role}`);
    return (await client.query(statement)).rowCount;
  });

test("the migrations need no more rights than `postgres` has in a hosted project", async () => {
  const { database, hostedUrl } = await hostedProject();
  await withConnection(hostedUrl, async (client) => {
    const { rows } = await client.query("select rolsuper from pg_roles where rolname = current_user");
    expect(rows).toEqual([{ rolsuper: false }]);
    for (const statement of [
      "create table auth.more ()",
      "create index on auth.users (phone)",
      "alter table storage.buckets add column more text",
      "set role supabase_auth_admin",
    ]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: "42501" });
    }
    await client.query("create publication supabase_realtime");
  });
  const { applied } = await migrate(hostedUrl);
  expect(applied[0]).toMatch(/_initial.sql$/);
  expect(await database.query`select id from storage.buckets`).toEqual([{ id: "tone-packs" }]);
});

test("Supabase Auth signs people up, changes their address and deletes them", async () => {
  const { database, hostedUrl } = await hostedProject();
  await migrate(hostedUrl);
  const asAuth = (statement: string) => as(database, "supabase_auth_admin", statement);
  await asAuth(`insert into auth.users (id, email) values ('${ADA}', 'ada@example.test')`);
  await asAuth(`update auth.users set email = 'lovelace@example.test' where id = '${ADA}'`);
  expect(await database.query`select email, drops_balance from nectar.accounts where user_id = ${ADA}`).toEqual([
    { email: "lovelace@example.test", drops_balance: 50 },
  ]);
  await asAuth(`delete from auth.users where id = '${ADA}'`);
  expect(await database.query`select from nectar.profiles where id = ${ADA}`).toEqual([]);
  expect(await database.query`select issued, balance from private.erased_totals`).toEqual([
    { issued: "50", balance: "50" },
  ]);
});

test("the next release is migrated by the same role", async () => {
  const { hostedUrl } = await hostedProject();
  await migrate(hostedUrl);
  expect(await migrate(hostedUrl)).toEqual({ applied: [], later: [] });
});
