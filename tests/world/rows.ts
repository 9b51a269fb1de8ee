import type pg from "pg";
import { TABLES } from "#core/cards/all";
import { literal } from "./samples.ts";

/**
 * What the catalogue does not say about rows of a table. All SQL may use the person `p`, with `id` and a number `n` from 1,
 * the number `k` of the row from 1, and the row `o` of `of`.
 */
export interface Rows {
  /** The table with rows of the person to which these rows belong; by default the one that a required foreign key names. */
  readonly of?: string;
  /** How many rows there are for a person or a row of `of`. */
  readonly each?: number;
  /** Further joins, and a condition. */
  readonly joined?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** Rows of several tables, each after those that its rows belong to. */
export type Topic = Readonly<Record<string, Rows | readonly Rows[]>>;

/** Tables with a row for each moment have so many for each person, others one. */
const ROWS_WITH_TIME = 5;

/** When the row was created. */
export const AT = "now() - (k * 1000 + p.n % 1000) * interval '1 minute'";

/** Dates of the game: from tomorrow on backwards. */
const DATE = "(now() at time zone 'UTC')::date + 2 - k";

/** Another person `x`, another one for each `k`. */
export const ANOTHER =
  "join people x on x.n = 1 + (p.n + (k * 311) % greatest((select count(*) from people) - 1, 1)) % (select count(*) from people) and x.id <> p.id";

/** Values of columns by their names, in whatever table. */
const BY_NAME: Readonly<Record<string, string>> = {
  created_at: AT,
  timezone: "'UTC'",
  position: "k - 1",
  week_start_date: `private.week_start(${DATE}) - 7 * (k - 1)`,
  window_start_time: "'06:00'",
  window_end_time: "'08:00'",
  activity_type: "'walk'",
};

/** Values of columns that must have one and whose name says nothing. */
const BY_TYPE: Readonly<Record<string, string>> = {
  text: "'Text ' || k",
  uuid: "gen_random_uuid()",
  bytea: "sha256((p.id || '/' || k)::bytea)",
  boolean: "false",
  date: DATE,
  jsonb: "'{}'",
  bit: "('x' || substr(md5(p.id || '/' || k), 1, 16))::bit(64)",
  timestamp: AT,
  time: "'06:00'",
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isEnum: boolean;
  readonly needsValue: boolean;
  readonly isOwners: boolean;
}

interface Table {
  readonly columns: readonly Column[];
  /** A table with rows that these belong to, and its columns by those that refer to them. */
  readonly belongsTo: { readonly table: string; readonly columns: Readonly<Record<string, string>> } | null;
  readonly isDeferrable: boolean;
}

async function readTable(admin: pg.ClientBase, name: string): Promise<Table> {
  const { rows } = await admin.query<Table>(
    `select
       (select json_agg(json_build_object(
          'name', attname, 'type', format_type(atttypid, null), 'isEnum', t.typtype = 'e',
          'needsValue', attnotnull and not atthasdef and attidentity = '',
          'isOwners', pg_get_expr(d.adbin, d.adrelid) = 'private.actor_id()'))
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       (select json_build_object('table', confrelid::regclass::text, 'columns', (
          select json_object_agg(one.attname, other.attname)
          from unnest(conkey, confkey) key (of_one, of_other)
          join pg_attribute one on one.attrelid = conrelid and one.attnum = of_one
          join pg_attribute other on other.attrelid = confrelid and other.attnum = of_other))
        from pg_constraint
        where contype = 'f' and conrelid = $1::regclass and not condeferrable
          and confrelid not in ('nectar.profiles'::regclass, 'auth.users'::regclass)
          and not exists (
            select from pg_attribute where attrelid = conrelid and attnum = any (conkey) and not attnotnull)
        order by oid limit 1) as "belongsTo",
       exists (select from pg_constraint where contype = 'u' and conrelid = $1::regclass and condeferrable) as "isDeferrable"`,
    [name],
  );
  const [table] = rows;
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  return table;
}

/**
 * Inserts rows of a table for all of the temporary table `people`. What the topic does not say comes from the card's sample,
 * the foreign key and the types of the columns, so that a new table or column seldom needs a word.
 */
export async function insertRows(
  admin: pg.ClientBase,
  name: string,
  rows: Rows = {},
  only?: "what is missing",
): Promise<void> {
  const { sample = {}, person = "user_id", grows } = TABLES[name] ?? {};
  const { columns, belongsTo, isDeferrable } = await readTable(admin, name);
  const of = rows.of ?? belongsTo?.table;
  const ofParent = of === undefined ? [] : (await readTable(admin, of)).columns.map((column) => column.name);
  const owner = TABLES[of ?? ""]?.person ?? "user_id";
  const parent = ofParent.includes(owner) ? of : undefined;
  const keys = parent === belongsTo?.table ? (belongsTo?.columns ?? {}) : {};
  const values = columns.flatMap(({ name: column, type, isEnum, needsValue, isOwners }) => {
    const said = rows.values?.[column];
    const sampled = sample[column];
    if (said !== undefined) return [[column, said] as const];
    if (sampled !== undefined) return [[column, literal(sampled, "p.id", "k")] as const];
    if (column in keys) return [[column, `o.${keys[column]}`] as const];
    if (column === person) return [[column, "p.id"] as const];
    // An audience is that of what the row belongs to.
    if (/_audience_id$/.test(column) && ofParent.includes(column)) return [[column, `o.${column}`] as const];
    if (isOwners) return [[column, "p.id"] as const];
    const named = BY_NAME[column];
    if (named !== undefined) return [[column, named] as const];
    if (!needsValue) return [];
    const typed = type.endsWith("[]")
      ? "'{}'"
      : isEnum
        ? `(enum_range(null::${type}))[1]`
        : BY_TYPE[type.split(" ")[0] ?? ""];
    return [[column, typed ?? "1"] as const];
  });
  const each = rows.each ?? (grows === "with people" || parent !== undefined ? 1 : ROWS_WITH_TIME);
  if (only !== undefined) {
    const isTheirs = columns.some(({ name: column }) => column === person);
    const { rowCount } = await admin.query(
      `select from ${name} ${isTheirs ? `where ${person} in (select id from people)` : ""} limit 1`,
    );
    if (rowCount === 1) return;
  }
  const statement = `insert into ${name} (${values.map(([column]) => `"${column}"`).join(", ")})
     select ${values.map(([, value]) => value).join(", ")}
     from people p ${parent === undefined ? "" : `join ${parent} o on o.${owner} = p.id`}
     cross join generate_series(1, ${only === undefined ? each : 1}) k ${rows.joined ?? ""} ${isDeferrable ? "" : "on conflict do nothing"}`;
  await admin.query(statement).catch((error: unknown) => {
    throw new Error(`Say in tests/world which rows ${name} has: ${statement}`, { cause: error });
  });
}
