import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Functions, JSON_ARGUMENTS, RESULTS } from "./functions.generated.ts";
import type { Tx } from "./transaction.ts";

/** A function of the schema `private` that one of our roles may call. */
export type FunctionName = keyof Functions;
/** The arguments of a function, without `p_` and in camel case. */
export type Arguments<Name extends FunctionName> = Functions[Name]["arguments"];
/** The result of a function: one value, an object or a row; a list, if it returns a set. */
export type Result<Name extends FunctionName> = Functions[Name]["result"];
/** One row of a function that returns a set. */
export type Row<Name extends FunctionName> = Functions[Name] extends { row: infer One } ? One : Result<Name>;

type Given<Values> = Record<never, never> extends Values ? [values?: Values] : [values: Values];
/** In a query, an argument may be a part of it, such as a column. */
type InQuery<Values> = { [Key in keyof Values]: Values[Key] | RawBuilder<Values[Key]> };

/**
 * Calls a function: `await call(tx, "read_goal", { id })`. Names and types come from the database (`npm run generate`). A
 * composite type is an object, a set is a list, and an argument that is left out has its default.
 */
export async function call<Name extends FunctionName>(
  tx: Tx,
  name: Name,
  ...given: Given<Arguments<Name>>
): Promise<Result<Name>>;
export async function call(tx: Tx, name: FunctionName, values: object = {}): Promise<unknown> {
  const given = Object.entries(values);
  const { rows } = await tx.getExecutor().executeQuery<{ value?: unknown }>(
    CompiledQuery.raw(
      textOf(name, Object.keys(values)),
      given.map(([key, value]) => encode(name, key, value)),
    ),
  );
  switch (RESULTS[name]) {
    case "rows":
      return rows;
    case "values":
      return rows.map(({ value }) => value);
    case "objects":
      return rows[0]?.value ?? [];
    case "row":
      return rows[0];
    default:
      return rows[0]?.value;
  }
}

/** The one row of a list. @throws Error if it has none or several */
export function only<One>(rows: readonly One[]): One {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`Expected exactly one row, got ${rows.length}.`);
  return row;
}

/** A call inside of another query, with the type of its value, or of a row if it returns rows. */
export function called<Name extends FunctionName>(
  name: Name,
  ...[values]: Given<InQuery<Arguments<Name>>>
): RawBuilder<Row<Name>> {
  const given = Object.entries(values ?? {}).map(
    ([key, value]) => sql`${sql.raw(parameterName(key))} => ${encode(name, key, value)}`,
  );
  const result = sql`${sql.raw(`private.${name}`)}(${sql.join(given)})`;
  return RESULTS[name] === "object" ? sql`to_json(${result})` : sql`${result}`;
}

const texts = new Map<string, string>();

function textOf(name: FunctionName, keys: readonly string[]): string {
  const id = `${name} ${keys.join(" ")}`;
  let text = texts.get(id);
  if (text === undefined) {
    const result = `private.${name}(${keys.map((key, index) => `${parameterName(key)} => $${index + 1}`).join(", ")})`;
    text = SELECTIONS[RESULTS[name] ?? "value"](result);
    texts.set(id, text);
  }
  return text;
}

const fromIt = (result: string) => `select * from ${result}`;

const SELECTIONS = {
  value: (result: string) => `select ${result} as value`,
  values: (result: string) => `select ${result} as value`,
  object: (result: string) => `select to_json(${result}) as value`,
  objects: (result: string) => `select json_agg(one) as value from ${result} one`,
  row: fromIt,
  rows: fromIt,
};

function parameterName(key: string): string {
  return `p_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function encode(name: FunctionName, key: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return JSON_ARGUMENTS.has(`${name}.${key}`) ? JSON.stringify(value) : value;
}
