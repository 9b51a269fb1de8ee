import { type Connection, withConnection } from "#local/support/connection";
import { COMPUTED, FIELDS, FUNCTIONS, OUTER_JOINS } from "./nullable.ts";

/**
 * What the compiler knows of a migrated database: the tables for Kysely, the values of enums, the lengths that check
 * constraints allow, composite types, and the functions that our roles may call.
 *
 * A column of a view is null where that of its table may be. PostgreSQL cannot say the same of an outer join, of what is
 * computed, of a composite type and of a function: there, `nullable.ts` names what may be null.
 */
export interface DatabaseTypes {
  readonly tables: string;
  readonly enums: string;
  readonly lengths: string;
  readonly columns: string;
  readonly mailLimits: string;
  readonly functions: string;
}

interface Type {
  /** The name of the type; in an array, that of its elements. */
  readonly type: string;
  readonly kind: "value" | "enum" | "composite" | "table";
  readonly is_array: boolean;
}

interface Column extends Type {
  readonly schema: "nectar" | "private";
  readonly table: string;
  readonly relation: "table" | "view" | "composite";
  readonly name: string;
  readonly is_not_null: boolean;
  /** The numbers of its relation and of itself, with a dot. */
  readonly origin: string;
  readonly has_default: boolean;
  readonly comment: string | null;
}

type Origin = Pick<Column, "origin" | "is_not_null">;

interface View {
  readonly oid: number;
  readonly name: string;
  readonly definition: string;
}

interface Enum {
  readonly name: string;
  readonly values: readonly string[];
}

interface Length {
  /** With its schema, unless that is `nectar`. */
  readonly table: string;
  readonly column: string;
  readonly min: number | null;
  readonly max: number;
}

interface ColumnNames {
  /** With its schema. */
  readonly table: string;
  readonly columns: readonly string[];
}

interface MailLimit {
  readonly name: string;
  readonly max: number;
}

interface DatabaseFunction {
  readonly name: string;
  readonly comment: string | null;
  readonly arguments: readonly (Type & { readonly name: string; readonly has_default: boolean })[];
  /** The columns of an unnamed row. */
  readonly columns: readonly (Type & { readonly name: string })[];
  readonly result: Type;
  readonly returns_set: boolean;
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
  void: "void",
};
const JSON_TYPES = ["json", "jsonb"];
/** They are written differently in JSON, so a composite type has text instead. */
const NOT_IN_JSON = ["timestamptz", "timestamp", "bytea"];
/** Nor may a table or view have these if a composite type has its row: in a row, they are text. */
const NOT_IN_JSON_OF_ROWS = [...NOT_IN_JSON, "numeric"];

const HELPERS = `
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;`.trim();

export async function databaseTypes(url: string): Promise<DatabaseTypes> {
  return await withConnection(url, async (client) => {
    const enums = await rowsOf<Enum>(client, READ_ENUMS);
    const columns = await withNullsOfViews(client, await rowsOf<Column>(client, READ_COLUMNS));
    const lengths = await rowsOf<Length>(client, READ_LENGTHS);
    const columnNames = await rowsOf<ColumnNames>(client, READ_COLUMN_NAMES);
    const mailLimits = await rowsOf<MailLimit>(client, READ_MAIL_LIMITS);
    const functions = await rowsOf<DatabaseFunction>(client, READ_FUNCTIONS);
    return {
      tables: tablesFile(enums, columns, functions),
      enums: enumsFile(enums),
      lengths: lengthsFile(lengths),
      columns: columnsFile(columnNames),
      mailLimits: mailLimitsFile(mailLimits),
      functions: functionsFile(functions),
    };
  });
}

async function rowsOf<Row extends object>(client: Connection, query: string): Promise<Row[]> {
  return (await client.query<Row>(query)).rows;
}

function tablesFile(
  enums: readonly Enum[],
  columns: readonly Column[],
  functions: readonly DatabaseFunction[],
): string {
  const sent = compositesIn(
    functions.map(({ result }) => result),
    columns,
  );
  const relations = Map.groupBy(
    columns.filter(({ relation, table }) => relation !== "composite" || sent.has(table)),
    ({ schema, table }) => (schema === "nectar" ? table : `${schema}.${table}`),
  );
  const asInRows = new Set(
    [...relations]
      .filter(([, of]) => of.every(({ type }) => !NOT_IN_JSON_OF_ROWS.includes(type)))
      .map(([name]) => name),
  );
  const stored = [...relations].filter(([, [column]]) => column?.relation !== "composite");
  return file([
    'import type { ColumnType, Selectable } from "kysely";',
    HELPERS,
    ...enums
      .filter(({ name }) => [...columns, ...functions.flatMap(typesOf)].some(({ type }) => type === name))
      .map(({ name, values }) => `export type ${pascalCase(name)} = ${union(values)};`),
    ...[...relations].map(([name, of]) => relationInterface(name, of, asInRows)),
    block(
      "export interface DB",
      stored.map(([name]) => `  ${propertyName(name)}: ${pascalCase(name)};`),
    ),
  ]);
}

/** The names of composite types, and of those that they have inside. */
function compositesIn(types: readonly Type[], columns: readonly Column[]): Set<string> {
  const names = types.flatMap(({ kind, type }) => (kind === "composite" ? [type] : []));
  const inside = columns.filter(({ relation, table }) => relation === "composite" && names.includes(table));
  return new Set([...names, ...(inside.length > 0 ? compositesIn(inside, columns) : [])]);
}

/**
 * A composite type has the name without its schema, because functions return it.
 * @param asInRows the tables and views whose rows are the same in JSON
 */
function relationInterface(name: string, columns: readonly Column[], asInRows: ReadonlySet<string>): string {
  const isComposite = columns[0]?.relation === "composite";
  const nullable = nullableNames(
    FIELDS,
    name.replace(/^\w+\./, ""),
    columns.map((column) => column.name),
  );
  return block(
    `export interface ${pascalCase(isComposite ? name.replace(/^\w+\./, "") : name)}`,
    columns.map((column) => {
      const isDifferent = column.kind === "table" ? !asInRows.has(column.type) : NOT_IN_JSON.includes(column.type);
      if (isComposite && isDifferent) {
        throw new Error(`${name}.${column.name} is sent as JSON, so it cannot be a ${column.type}.`);
      }
      const base = isComposite ? inJson(column) : column.type === "numeric" ? "Numeric" : inRow(column);
      const isNullable = isComposite ? nullable.has(column.name) : !column.is_not_null;
      const type = `${base}${isNullable ? " | null" : ""}`;
      return `${jsDoc(column.comment, "  ")}  ${column.name}: ${column.has_default ? `Generated<${type}>` : type};`;
    }),
  );
}

function enumsFile(enums: readonly Enum[]): string {
  const lines = enums.map(
    ({ name, values }) => `  ${name}: [${values.map((value) => JSON.stringify(value)).join(", ")}],`,
  );
  return file([
    `${block("export const ENUMS =", lines)} as const;`,
    "/** A value of an enum. */\nexport type Enum<Name extends keyof typeof ENUMS> = (typeof ENUMS)[Name][number];",
  ]);
}

function lengthsFile(lengths: readonly Length[]): string {
  const lines = [...Map.groupBy(lengths, ({ table }) => table)].map(([table, columns]) => {
    const bounds = columns.map(
      ({ column, min, max }) => `${column}: { ${min === null ? "" : `min: ${min}, `}max: ${max} }`,
    );
    return `  ${propertyName(table)}: { ${bounds.join(", ")} },`;
  });
  return file([
    `/** Lengths that check constraints allow: code points of a text (bytes where they count bytes), elements of a list. */
${block("export const LENGTHS =", lines)} as const;`,
  ]);
}

function columnsFile(tables: readonly ColumnNames[]): string {
  const lines = tables.map(
    ({ table, columns }) => `  ${JSON.stringify(table)}: [${columns.map((name) => JSON.stringify(name)).join(", ")}],`,
  );
  return file([
    `/** The columns of all tables that have a card, in their order. */\n${block("export const COLUMNS =", lines)} as const;`,
  ]);
}

function mailLimitsFile(limits: readonly MailLimit[]): string {
  const lines = limits.map(({ name, max }) => `  ${name}: ${max},`);
  return file([
    `/** How many mails a person may send, in a number of hours, to everyone or to one address. */
${block("export const MAIL_LIMITS =", lines)} as const;`,
  ]);
}

function functionsFile(functions: readonly DatabaseFunction[]): string {
  const names = [...new Set(functions.flatMap(typesOfFunction))].sort();
  return file([
    'import type { Selectable } from "kysely";',
    `import type { ${names.join(", ")} } from "./types.generated.ts";`,
    block("export interface Functions", functions.map(functionType)),
    `/** How the result of a function is read, if it is not one value. */
export const RESULTS: Readonly<Record<string, "object" | "objects" | "row" | "rows" | "values" | undefined>> = {
${functions.flatMap((of) => (readAs(of) === "value" ? [] : [`  ${of.name}: "${readAs(of)}",`])).join("\n")}
};`,
    `/** The arguments that are sent as JSON. */
export const JSON_ARGUMENTS: ReadonlySet<string> = new Set([
${functions.flatMap((of) => of.arguments.filter(isJson).map(({ name }) => `  "${of.name}.${argumentName(of, name)}",`)).join("\n")}
]);`,
  ]);
}

function functionType(of: DatabaseFunction): string {
  const { arguments: parameters, columns } = of;
  const nullable = nullableNames(FUNCTIONS, of.name, [
    ...[...parameters, ...columns].map(({ name }) => name),
    "result",
  ]);
  const fields = parameters.map((parameter) => {
    const type = isJson(parameter) ? "object" : parameter.type === "timestamptz" ? "Date | string" : inRow(parameter);
    const list = parameter.is_array ? `readonly ${type}` : type;
    const name = `${argumentName(of, parameter.name)}${parameter.has_default ? "?" : ""}`;
    return `${name}: ${list}${nullable.has(parameter.name) ? " | null | undefined" : ""}`;
  });
  const result = `${resultType(of, nullable)}${nullable.has("result") ? " | null" : ""}`;
  return `${jsDoc(of.comment, "  ")}  ${of.name}: { arguments: { ${fields.join("; ")} }; result: ${result}${of.returns_set ? `; row: ${result.replace(/\[\]$/, "")}` : ""} };`;
}

function resultType(of: DatabaseFunction, nullable: ReadonlySet<string>): string {
  const { columns, result, returns_set } = of;
  const list = returns_set ? "[]" : "";
  if (columns.length > 0) {
    const fields = columns.map(
      (column) => `${column.name}: ${inRow(column)}${nullable.has(column.name) ? " | null" : ""}`,
    );
    return `{ ${fields.join("; ")} }${list}`;
  }
  if (result.kind === "table") return `Selectable<${pascalCase(result.type)}>${list}`;
  return `${result.kind === "composite" ? inJson(result) : inRow(result)}${list}`;
}

/** How a result is read: as one value, one composite value in JSON, one row of columns, or several of them. */
function readAs({ columns, result, returns_set }: DatabaseFunction): string {
  if (columns.length > 0 || result.kind === "table") return returns_set ? "rows" : "row";
  if (result.kind === "composite") return returns_set ? "objects" : "object";
  return returns_set ? "values" : "value";
}

function typesOfFunction(of: DatabaseFunction): string[] {
  const enums = typesOf(of).filter(({ kind }) => kind === "enum");
  const json = [...of.columns, of.result].some(isJson) ? ["Json"] : [];
  return [...json, ...[...enums, of.result].flatMap(({ kind, type }) => (kind === "value" ? [] : [pascalCase(type)]))];
}

function typesOf(of: DatabaseFunction): Type[] {
  return [...of.arguments, ...of.columns, of.result];
}

function isJson({ type }: Type): boolean {
  return JSON_TYPES.includes(type);
}

/** `p_user_id` as `userId`. */
function argumentName(of: DatabaseFunction, name: string): string {
  const camelCase = name.replace(/^p_/, "").replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (`p_${camelCase.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}` !== name) {
    throw new Error(`The argument ${name} of ${of.name} is not named p_ and words.`);
  }
  return camelCase;
}

function nullableNames(list: typeof FIELDS, owner: string, allowed: readonly string[]): Set<string> {
  const names = list[owner] ?? [];
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw new Error(`${owner} has no ${unknown}, which tools/nullable.ts calls nullable.`);
  return new Set(names);
}

/** The columns, with those of views as they are in their tables. A view of views comes after them. */
async function withNullsOfViews(client: Connection, columns: readonly Column[]): Promise<Column[]> {
  const isNotNull = new Map<string, boolean>();
  for (const { origin, is_not_null } of await rowsOf<Origin>(client, READ_ORIGINS)) isNotNull.set(origin, is_not_null);
  for (const { oid, name, definition } of await rowsOf<View>(client, READ_VIEWS)) {
    const outside = (OUTER_JOINS[name] ?? []).map((table) => `nectar.${table}`);
    const { rows: tables } = await client.query<{ oid: number }>("select unnest($1::regclass[])::oid::integer as oid", [
      outside,
    ]);
    const { fields } = await client.query(`select * from (${definition}) shown limit 0`);
    const computed = nullableNames(
      COMPUTED,
      name,
      fields.map((field) => field.name),
    );
    for (const [index, { tableID, columnID, name: column }] of fields.entries()) {
      const inTable = tableID === 0 ? !computed.has(column) : isNotNull.get(`${tableID}.${columnID}`) === true;
      isNotNull.set(`${oid}.${index + 1}`, inTable && !tables.some((table) => table.oid === tableID));
    }
  }
  return columns.map((column) => ({ ...column, is_not_null: isNotNull.get(column.origin) ?? column.is_not_null }));
}

/** The type of an argument or a column, where a composite value is in PostgreSQL's own text form. */
function inRow({ type, kind, is_array }: Type): string {
  return `${kind === "enum" ? pascalCase(type) : (TYPES[type] ?? "string")}${is_array ? "[]" : ""}`;
}

function inJson({ type, kind, is_array }: Type): string {
  const list = is_array ? "[]" : "";
  if (type === "numeric") return `number${list}`;
  if (kind === "table") return `Selectable<${pascalCase(type)}>${list}`;
  return kind === "composite" ? `${pascalCase(type)}${list}` : inRow({ type, kind, is_array });
}

function union(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function jsDoc(comment: string | null, indent: string): string {
  return comment === null ? "" : `${indent}/** ${comment.replaceAll("*/", "*\\/")} */\n`;
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join("\n")}\n}`;
}

function file(parts: readonly string[]): string {
  return `${["/** Written by `npm run generate`. */", ...parts].join("\n\n")}\n`;
}

function propertyName(name: string): string {
  return /\W/.test(name) ? JSON.stringify(name) : name;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const READ_ENUMS = `
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as values
  from pg_type t
  join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = any (array['nectar', 'private']::regnamespace[])
  group by t.typname
  order by t.typname collate "C"`;

const READ_LENGTHS = `
  select concat(nullif(c.relnamespace::regnamespace::text, 'nectar') || '.', c.relname) collate "C" as "table",
    l[2] collate "C" as "column",
    max(l[4]::integer) filter (where l[3] = '>=') as min, min(l[4]::integer) filter (where l[3] = '<=') as max
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  cross join lateral regexp_matches(
    pg_get_constraintdef(k.oid), '\\y(char_length|octet_length|cardinality|jsonb_array_length)\\((\\w+)\\) (>=|<=) (\\d+)', 'g'
  ) l
  where k.contype = 'c' and k.connamespace = any (array['nectar', 'private']::regnamespace[])
  group by 1, 2
  order by 1, 2`;

const READ_COLUMN_NAMES = `
  select c.relnamespace::regnamespace || '.' || c.relname as "table",
    json_agg(a.attname order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = any (array['nectar', 'private', 'auth']::regnamespace[]) and c.relkind in ('r', 'p')
  group by c.oid
  order by c.relnamespace::regnamespace::text, c.relname collate "C"`;

const READ_MAIL_LIMITS = `
  select format('in_%s_hours%s', extract(epoch from period)::integer / 3600, case when is_per_recipient then '_to_one_address' end)
      as name, max_mails as max
  from private.email_limits()`;

/** A type by its oid, as `Type`. */
const typeOf = (oid: string) => `
  select coalesce(e.typname, t.typname) as type, e.oid is not null as is_array,
    case
      when r.relkind = 'c' then 'composite' when r.oid is not null then 'table'
      when 'e' in (e.typtype, t.typtype) then 'enum' else 'value'
    end as kind
  from pg_type t
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  left join pg_class r on r.oid = coalesce(e.typrelid, t.typrelid) and r.oid <> 0
  where t.oid = ${oid}`;

const READ_COLUMNS = `
  select c.relnamespace::regnamespace::text as schema, c.relname as "table", a.attname as name, t.*,
    case c.relkind when 'v' then 'view' when 'c' then 'composite' else 'table' end as relation,
    a.attnotnull as is_not_null, c.oid || '.' || a.attnum as origin, a.atthasdef or a.attidentity <> '' as has_default,
    col_description(c.oid, a.attnum) as comment
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  cross join lateral (${typeOf("a.atttypid")}) t
  where c.relnamespace = any (array['nectar', 'private']::regnamespace[])
    and c.relkind in ('r', 'p', 'v', 'c') and not c.relispartition
  order by schema, c.relname collate "C", case when c.relkind = 'c' then a.attnum end, a.attname collate "C"`;

const READ_ORIGINS = `
  select a.attrelid || '.' || a.attnum as origin, a.attnotnull as is_not_null
  from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
  where a.attnum > 0 and c.relnamespace = any (array['nectar', 'private', 'auth']::regnamespace[])`;

const READ_VIEWS = `
  select c.oid::integer as oid, c.relname as name, rtrim(pg_get_viewdef(c.oid), ';') as definition
  from pg_class c
  where c.relkind = 'v' and c.relnamespace = any (array['nectar', 'private']::regnamespace[])
  order by c.oid`;

const READ_FUNCTIONS = `
  select p.proname as name, obj_description(p.oid, 'pg_proc') as comment, p.proretset as returns_set,
    (select to_json(t) from (${typeOf("p.prorettype")}) t) as result,
    (
      select coalesce(json_agg(json_build_object(
          'name', n.name, 'has_default', n.position > p.pronargs - p.pronargdefaults,
          'type', t.type, 'kind', t.kind, 'is_array', t.is_array) order by n.position), '[]')
      from (
        select p.proargnames[m.n] as name, p.proargtypes[m.n - 1] as type, m.n as position
        from generate_series(1, p.pronargs) m (n)
      ) n
      cross join lateral (${typeOf("n.type")}) t
    ) as arguments,
    (
      select coalesce(json_agg(json_build_object(
          'name', c.name, 'type', t.type, 'kind', t.kind, 'is_array', t.is_array) order by c.position), '[]')
      from unnest(p.proargnames, p.proallargtypes, p.proargmodes) with ordinality c (name, type, mode, position)
      cross join lateral (${typeOf("c.type")}) t
      where c.mode in ('o', 't') and p.prorettype = 'record'::regtype
    ) as columns
  from pg_proc p
  where p.pronamespace = 'private'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and (has_function_privilege('nectar_user', p.oid, 'execute') or has_function_privilege('nectar_service', p.oid, 'execute'))
  order by p.proname collate "C"`;
