import * as z from "zod";
import { sentBytes } from "#http/response/paging";
import type { TestApi } from "#tests/api";
import { createCrowd } from "#tests/crowd";
import { asSuperuser, type Person } from "#tests/people";

export type Row = Readonly<Record<string, unknown>>;

/** A list with more rows of the maximum size than fit on one page. */
export interface ListScene {
  /** Path and query without `limit` and `cursor`. */
  readonly path: string;
  readonly as: Person;
  /** The key of every row that the list must show. */
  readonly keys: readonly string[];
  /** Reads the key of a row; its `id` unless given. */
  readonly keyOf?: (row: Row) => unknown;
}

/** Text that takes the maximum of seven bytes per code point as it is sent. */
export function longest(codePoints: number): string {
  return "\u0001".repeat(codePoints);
}

/** A web address of the maximum length. */
export const LONG_LINK = `https://nectar.test/${"a".repeat(2_028)}`;

/** The rows of a response: those of its lists, of its sections, or of its teams. */
export function rowsOf(body: object): Row[] {
  return Object.values(body).flatMap((value) => {
    if (Array.isArray(value)) return value;
    return typeof value === "object" && value !== null && "members" in value ? rowsOf([value.members]) : [];
  });
}

const Created = z.looseObject({ id: z.string() });

/** The value of a field whose name only a table of the test knows. */
export function createdIn(body: object, field: string): z.infer<typeof Created> {
  return Created.parse(z.record(z.string(), z.unknown()).parse(body)[field]);
}

/** Builds lists directly in the database: copies a row that the API accepted until they no longer fit on a page. */
export function stageOf(api: TestApi) {
  /** Runs a statement without triggers, so that it writes nothing but the rows themselves. */
  function quietly<Result extends object>(text: string, values: readonly unknown[] = []): Promise<Result[]> {
    return asSuperuser(api.adminUrl, async (client) => {
      await client.query("set session_replication_role = replica");
      return (await client.query<Result>(text, [...values])).rows;
    });
  }

  /**
   * Copies one row of a table, except for its generated columns.
   * @param changes what differs in the copies, as SQL over the row `r` and the number `n` of the copy, from 1
   * @returns the values of `key` of all copies
   */
  async function copy(
    table: string,
    where: Row,
    times: number,
    changes: Readonly<Record<string, string>>,
    key = "id",
  ): Promise<string[]> {
    const columns = await quietly<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => changes[name] ?? `r.${name}`);
    const conditions = Object.keys(where).map((name, index) => `r.${name} = $${index + 2}`);
    const rows = await quietly<{ key: string }>(
      `insert into ${table} (${names.join(", ")})
       select ${values.join(", ")} from ${table} r cross join generate_series(1, $1::int) n
       where ${conditions.join(" and ")} returning ${key} as key`,
      [times, ...Object.values(where)],
    );
    if (rows.length !== times) throw new Error(`There is not exactly one row to copy in ${table}.`);
    return rows.map((row) => row.key);
  }

  /** Gives people the largest cards. */
  const enlarge = (...ids: readonly string[]) =>
    quietly("update nectar.profiles set full_name = $1, avatar_url = $2 where id = any ($3)", [
      longest(100),
      LONG_LINK,
      ids,
    ]);

  /** People with the largest cards. @returns their ids */
  async function people(count: number): Promise<string[]> {
    const ids = await asSuperuser(api.adminUrl, (client) => createCrowd(client, count));
    await enlarge(...ids);
    return ids;
  }

  /** How many rows of the size of the first one exceed a page, in number or in bytes. */
  async function moreThanAPage(path: string, as: Person): Promise<number> {
    const [row] = rowsOf((await api.get(path, as)).body);
    if (row === undefined) throw new Error(`There is no row at ${path}.`);
    return Math.min(505, Math.ceil(5_000_000 / sentBytes(JSON.stringify(row))));
  }

  /** A list of copies of a row that the API created, more than a page of them. */
  async function copied(
    list: Pick<ListScene, "path" | "as">,
    table: string,
    id: string,
    changes: Readonly<Record<string, string>> = EARLIER,
  ): Promise<ListScene> {
    const copies = await copy(table, { id }, await moreThanAPage(list.path, list.as), changes);
    return { ...list, keys: [id, ...copies] };
  }

  /** Creates something through the API. */
  async function make(path: string, noun: string, as: Person, body: object): Promise<{ readonly id: string }> {
    const response = await api.post(path, as, body);
    if (response.status !== 201)
      throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
    return createdIn(response.body, noun);
  }

  /** The ids of a table, or of a part of it. @param source a table, with a condition if needed */
  const keysOf = async (source: string) =>
    (await quietly<{ id: string }>(`select id from ${source}`)).map(({ id }) => id);

  return { api, quietly, copy, copied, enlarge, people, make, keysOf };
}
export type Stage = ReturnType<typeof stageOf>;

export type BuildScenes = (stage: Stage) => Promise<readonly ListScene[]>;

/** Copies are older than their original: two copies per second. */
export const EARLIER = { id: "gen_random_uuid()", created_at: "r.created_at - (n / 2) * interval '1 second'" } as const;
