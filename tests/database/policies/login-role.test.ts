import { expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { REFUSED } from "./matrix.ts";

const acting = useActing();

it("the login role has no privilege on any table", async () => {
  const { rows } = await acting.admin.query(
    `select c.oid::regclass::text as name, command
     from pg_catalog.pg_class c
     cross join unnest(array['select', 'insert', 'update']) command
     where c.relnamespace in ('nectar'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (has_any_column_privilege('nectar_api', c.oid, command) or has_table_privilege('nectar_api', c.oid, 'delete'))`,
  );
  expect(rows).toEqual([]);
  expect(await acting.outcome("login role", "select from nectar.profiles")).toBe(REFUSED);
});

it("the login role calls no function of ours, changes into no other role, and creates nothing", async () => {
  expect(await acting.outcome("login role", "select private.is_super_admin()")).toBe(REFUSED);
  const { rows: others } = await acting.admin.query<{ name: string }>(
    "select rolname as name from pg_catalog.pg_roles where rolname !~ '^nectar_'",
  );
  expect(others.length).toBeGreaterThan(0);
  for (const { name } of others) {
    expect(await acting.outcome("login role", `set local role ${name}`), name).toBe(REFUSED);
  }
  expect(await acting.outcome("login role", "create table nectar.mine (id int)")).toBe(REFUSED);
  expect(await acting.outcome("login role", "create table private.mine (id int)")).toBe(REFUSED);
});
