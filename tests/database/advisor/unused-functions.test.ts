import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useActing } from "../support/acting.ts";

const acting = useActing();

/** TypeScript outside tests, and the rows that call functions when they are inserted. */
const callers = [readFiles("functions", ".ts"), readFiles("packages", ".ts"), readFiles("supabase/seeds", ".sql")].join(
  "\n",
);

/** Functions of ours that no policy, trigger, column, constraint, index or function of the database uses. */
const UNUSED_IN_DATABASE = `
  select p.proname as name
  from pg_catalog.pg_proc p
  where p.pronamespace = 'private'::regnamespace
    and not exists (
      select from pg_catalog.pg_depend d
      where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid and d.deptype = 'n'
    )
    and not exists (
      select from pg_catalog.pg_proc caller
      where caller.oid <> p.oid
        and caller.pronamespace in ('private'::regnamespace, 'public'::regnamespace)
        and caller.prosrc ~ ('private\\.' || p.proname || '\\M')
    )`;

it("every function is called by SQL or TypeScript", async () => {
  expect(await findUnused()).toEqual([]);
});

it("a function that nothing calls is found", async () => {
  await acting.admin.query("begin");
  try {
    await acting.admin.query("create function private.left_over() returns integer language sql as 'select 1'");
    expect(await findUnused()).toEqual(["left_over"]);
  } finally {
    await acting.admin.query("rollback");
  }
});

async function findUnused(): Promise<string[]> {
  const { rows } = await acting.admin.query<{ name: string }>(UNUSED_IN_DATABASE);
  return rows.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(callers));
}

function readFiles(folder: string, ending: string): string {
  const root = new URL(`../../../${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.includes("node_modules"))
    .map((name) => readFileSync(new URL(name, root), "utf8"))
    .join("\n");
}
