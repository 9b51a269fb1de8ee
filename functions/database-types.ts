import { withConnection } from "@nectar/local/connection";

interface Column {
  readonly schema: "nectar" | "private";
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_array: boolean;
  readonly is_nullable: boolean;
  readonly has_default: boolean;
  readonly comment: string | null;
}

/** What the driver returns with our parsers for a type of PostgreSQL; a string for all others. */
const TYPES: Readonly<Record<string, string>> = {
  bool: "boolean",
  bytea: "Buffer",
  float8: "number",
  int2: "number",
  int4: "number",
  int8: "number",
  json: "Json",
  jsonb: "Json",
  numeric: "Numeric",
};

const HELPERS: Readonly<Record<string, string>> = {
  Generated: `export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;`,
  Json: "export type Json = JsonValue;",
  JsonArray: "export type JsonArray = JsonValue[];",
  JsonObject: "export type JsonObject = {\n  [x: string]: JsonValue | undefined;\n};",
  JsonPrimitive: "export type JsonPrimitive = boolean | number | string | null;",
  JsonValue: "export type JsonValue = JsonArray | JsonObject | JsonPrimitive;",
  Numeric: "export type Numeric = ColumnType<string, number | string, number | string>;",
};

/** The types of Kysely for the tables and enums of a migrated database. */
export async function databaseTypes(url: string): Promise<string> {
  const { enums, columns } = await withConnection(url, async (client) => ({
    enums: (await client.query<{ name: string; values: string[] }>(READ_ENUMS)).rows,
    columns: (await client.query<Column>(READ_COLUMNS)).rows,
  }));
  const types = new Map(Object.entries(TYPES));
  const declarations = new Map(Object.entries(HELPERS));
  for (const { name, values } of enums.filter((type) => columns.some((column) => column.type === type.name))) {
    types.set(name, pascalCase(name));
    const literals = values.map((value) => JSON.stringify(value));
    declarations.set(pascalCase(name), `export type ${pascalCase(name)} = ${literals.join(" | ")};`);
  }
  const tables = Map.groupBy(columns, ({ schema, table }) => (schema === "nectar" ? table : `${schema}.${table}`));
  const interfaces = new Map(
    [...tables].map(([name, of]) => [
      pascalCase(name),
      block(
        `export interface ${pascalCase(name)}`,
        of.map((column) => field(column, types)),
      ),
    ]),
  );
  const all = [...tables.keys()].map(
    (name) => `  ${/\W/.test(name) ? JSON.stringify(name) : name}: ${pascalCase(name)};`,
  );
  return `${[
    "/** Written by `npm run generate`. */",
    'import type { ColumnType } from "kysely";',
    ...inOrder(declarations),
    ...inOrder(interfaces),
    block("export interface DB", all),
  ].join("\n\n")}\n`;
}

function field(
  { name, type, is_array, is_nullable, has_default, comment }: Column,
  types: Map<string, string>,
): string {
  const value = `${types.get(type) ?? "string"}${is_array ? "[]" : ""}${is_nullable ? " | null" : ""}`;
  const lead = comment === null ? "" : `  /**\n   * ${comment}\n   */\n`;
  return `${lead}  ${name}: ${has_default ? `Generated<${value}>` : value};`;
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join("\n")}\n}`;
}

function inOrder(declarations: ReadonlyMap<string, string>): string[] {
  return [...declarations.keys()].sort().map((name) => declarations.get(name) ?? "");
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const READ_ENUMS = `
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumlabel::text collate "C") as values
  from pg_type t
  join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = any (array['nectar', 'private']::regnamespace[])
  group by t.typname`;

const READ_COLUMNS = `
  select c.relnamespace::regnamespace::text as schema, c.relname as "table", a.attname as name,
    coalesce(e.typname, t.typname) as type, e.oid is not null as is_array, not a.attnotnull as is_nullable,
    a.atthasdef or a.attidentity <> '' as has_default, col_description(c.oid, a.attnum) as comment
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  where c.relnamespace = any (array['nectar', 'private']::regnamespace[])
    and c.relkind in ('r', 'p', 'v') and not c.relispartition
  order by schema, c.relname collate "C", a.attname collate "C"`;
