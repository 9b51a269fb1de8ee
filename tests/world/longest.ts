import type pg from "pg";
import { LENGTHS } from "#core/lengths.generated";

/** Rows of a table that are more and larger than fit on a page of a list. All SQL may use the row `r` that is copied. */
export interface Copies {
  /** The condition of the row to copy; the first one of the table if left out. */
  readonly of?: string;
  /** How many there are; by default a few more than a page may have. */
  readonly count?: number;
  /** What differs between the copies, with their number `n` from 1 and another person `x` for each. These texts are not enlarged. */
  readonly changes?: Readonly<Record<string, string>>;
  /**
   * Tables of which each copy `o` has the rows that the copied row has: the column that names it, and what else differs.
   */
  readonly parts?: Readonly<
    Record<string, { readonly key: string; readonly changes?: Readonly<Record<string, string>> }>
  >;
}

/** Text with the maximum of seven bytes per code point as it is sent, as SQL. */
export const longest = (codePoints: number) => `repeat(chr(1), ${codePoints})`;

/** Texts of a maximum length, as SQL: of any kind, links and an address. */
const SHAPES: readonly ((length: number) => string)[] = [
  longest,
  (length) => `rpad('https://nectar.test/', ${length}, 'a')`,
  (length) => `rpad('https://www.youtube.com/watch?v=', ${length}, 'a')`,
  (length) => `lpad('@nectar.test', ${length}, 'a')`,
];

/** How much older than its original a copy is, as SQL. Three rows share each time, so that a page of 500 ends between two of them. */
export const AGE = "n / 3 * interval '1 second'";
const EARLIER = { id: "gen_random_uuid()", created_at: `r.created_at - ${AGE}` };

/** Copies a row, with the longest texts. The people `x` are the rows of the table `public.crowd`. Triggers must be off. */
export async function copyRow(
  admin: pg.ClientBase,
  table: string,
  { of = "true", count = 505, changes = {}, parts = {} }: Copies,
): Promise<void> {
  await admin.query(`create temp table source as select * from ${table} r where ${of} limit 1`);
  const copies = await insertCopies(
    admin,
    table,
    { ...EARLIER, ...changes },
    `source r cross join generate_series(1, ${count}) n left join public.crowd x on x.number = n`,
  );
  if (copies.length !== count) throw new Error(`There is no row to copy in ${table}.`);
  const rows = [...(await enlarge(admin, table, copies, Object.keys(changes)))];
  for (const [part, { key, changes: own = {} }] of Object.entries(parts)) {
    const source = `(select c.* from ${part} c join source s on c.${key} = s.id)`;
    const inserted = await insertCopies(
      admin,
      part,
      { id: "gen_random_uuid()", [key]: "o.id", ...own },
      `${source} r cross join (select * from ${table} where ctid = any ('{${rows.map((tid) => `"${tid}"`)}}'::tid[])) o`,
    );
    if (inserted.length < count) throw new Error(`The row of ${table} has no ${part}.`);
    await enlarge(admin, part, inserted, Object.keys(own));
  }
  await admin.query("drop table source");
}

/** @returns the places of the copies */
async function insertCopies(
  admin: pg.ClientBase,
  table: string,
  changes: Readonly<Record<string, string>>,
  from: string,
): Promise<string[]> {
  const { rows: columns } = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const { rows } = await admin.query<{ tid: string }>(
    `insert into ${table} (${names.join(", ")})
     select ${names.map((name) => changes[name] ?? `r.${name}`).join(", ")} from ${from} returning ctid as tid`,
  );
  return rows.map(({ tid }) => tid);
}

/**
 * Gives the first of the rows the longest texts, so many that together they are longer than a page, also if some are links.
 * @param except columns that stay as they are
 * @returns the places of all rows
 */
async function enlarge(
  admin: pg.ClientBase,
  table: string,
  tids: readonly string[],
  except: readonly string[],
): Promise<string[]> {
  const lengths: Readonly<Record<string, Readonly<Record<string, { readonly max?: number }>>>> = LENGTHS;
  const texts = Object.entries(lengths[table.replace(/^nectar\./, "")] ?? {}).filter(
    ([name]) => !except.includes(name),
  );
  const largest = Math.ceil(10_000_000 / (7 * texts.reduce((sum, [, { max = 0 }]) => sum + max, 1)));
  let chosen = tids.slice(0, largest);
  for (const [column, { max = 0 }] of texts) {
    for (const shape of SHAPES) {
      await admin.query("begin");
      const updated = await admin
        .query<{ tid: string }>(
          `update ${table} set ${column} = ${shape(max)} where ctid = any ($1::tid[]) returning ctid as tid`,
          [chosen],
        )
        // A constraint wants another shape, or the column to be null.
        .catch(() => null);
      await admin.query(updated === null ? "rollback" : "commit");
      if (updated === null) continue;
      chosen = updated.rows.map(({ tid }) => tid);
      break;
    }
  }
  return [...chosen, ...tids.slice(largest)];
}
