import { columnsOf, FILES, TABLES } from "@nectar/core/personal-data/register";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";

// Each new table, column or kind of file needs a decision: whether people get it with their export, and how it is erased
// with their account.
const database = useDatabase();

interface Reference {
  readonly from: string;
  readonly to: string;
  readonly columns: string[];
  readonly action: "cascade" | "set null" | "other";
}

async function columnsOfCatalog(): Promise<Record<string, string[]>> {
  const rows = await database.query<{ name: string; columns: string[] }>`
    select table_schema || '.' || table_name as name, array_agg(column_name::text order by column_name collate "C") as columns
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and table_schema in ('nectar', 'private', 'auth')
    group by 1`;
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

async function references(): Promise<Reference[]> {
  return database.query<Reference>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to,
      case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'other' end as action,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
    from pg_constraint where contype = 'f'`;
}

const registered = (lists: Readonly<Record<string, string>> = {}) =>
  Object.values(lists).flatMap((list) => columnsOf(list).map(({ column }) => column));

describe("the register of personal data", () => {
  it("names every column of every table, and nothing else", async () => {
    const named = Object.entries(TABLES).map(([name, { exported, left }]) => [
      name,
      [...new Set([...registered(exported), ...registered(left)])].sort(),
    ]);
    expect(Object.fromEntries(named)).toEqual(await columnsOfCatalog());
  });

  it.each(Object.entries(TABLES))("says of each column of %s either where it is exported or why not", (_, table) => {
    const left = registered(table.left);
    expect(new Set(left).size).toBe(left.length);
    expect(left.filter((column) => registered(table.exported).includes(column))).toEqual([]);
  });

  it("says of the rows of a table that they are erased by cascade exactly if foreign keys do that", async () => {
    const cascades = (await references()).filter(({ action }) => action === "cascade");
    const erased = new Set(["auth.users"]);
    for (let before = 0; before < erased.size; ) {
      before = erased.size;
      for (const { from, to } of cascades) if (erased.has(to)) erased.add(from);
    }
    erased.delete("auth.users");
    const claimed = Object.keys(TABLES).filter((name) => TABLES[name]?.erased === "by cascade");
    expect(claimed.sort()).toEqual([...erased].filter((name) => name in TABLES).sort());
  });

  it("names the columns that are cleared when the person they name is erased", async () => {
    const cleared = new Map<string, string[]>();
    for (const { from, to, action, columns } of await references()) {
      if (to === "nectar.profiles" && action === "set null") {
        cleared.set(from, [...(cleared.get(from) ?? []), ...columns].sort());
      }
    }
    const claimed = Object.entries(TABLES).flatMap(([name, table]) =>
      table.cleared === undefined ? [] : [[name, table.cleared.split(" ").sort()] as const],
    );
    expect(new Map(claimed)).toEqual(cleared);
  });

  it("names every kind of stored file, and nothing else", async () => {
    const stores = await database.query<{ store: string }>`
      select unnest(regexp_matches(pg_get_constraintdef(oid), '''([a-z-]+)''', 'g')) as store
      from pg_constraint where conname = 'stored_files_to_remove_store'`;
    const kinds = await database.query<{ kind: string }>`
      select distinct unnest(found) as kind
      from pg_proc p, regexp_matches(
        prosrc, case proname when 'expect_new_file' then 'when ''([a-z-]+)''' else '''([a-z-]+)/''' end, 'g'
      ) as found
      where p.pronamespace = 'private'::regnamespace and prosrc ~ 'expect_file|p_kind'`;
    const columns = await database.query<{ kind: string }>`
      select (regexp_match(pg_get_expr(adbin, adrelid), '^[(]*''([a-z-]+)/'''))[1] as kind from pg_attrdef
      where pg_get_expr(adbin, adrelid) ~ '^[(]*''[a-z-]+/'''`;
    const found = [...stores.map(({ store }) => store), ...[...kinds, ...columns].map(({ kind }) => kind)];
    expect(Object.keys(FILES).sort()).toEqual([...new Set(found)].filter((kind) => kind !== "private").sort());
  });
});
