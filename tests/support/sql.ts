import type { Row } from "./people.ts";

/** Runs one statement and returns its rows. */
interface Query {
  /** @param text a template, whose values become the parameters of the statement */
  <Result extends object = Row>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<Result[]>;
  /** @param text SQL that a test puts together, with its parameters as `$1` */
  <Result extends object = Row>(text: string, values?: readonly unknown[]): Promise<Result[]>;
}

/** Runs one statement and returns its only row. @throws Error if there are none or several */
interface QueryOne {
  <Result extends object = Row>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<Result>;
  <Result extends object = Row>(text: string, values?: readonly unknown[]): Promise<Result>;
}

/** Reads or writes behind the API, as the superuser. */
export interface Queries {
  readonly query: Query;
  readonly one: QueryOne;
}

type Run = <Result extends object>(text: string, values: readonly unknown[]) => Promise<Result[]>;

/** Reads all rows, or exactly one, by statements that `run` takes as a text with parameters. */
export function queriesOf(run: Run): Queries {
  function query<Result extends object>(text: string | TemplateStringsArray, ...values: readonly unknown[]) {
    if (typeof text !== "string")
      return run<Result>(String.raw({ raw: text }, ...values.map((_, n) => `$${n + 1}`)), values);
    const [given = []] = values;
    return run<Result>(text, Array.isArray(given) ? given : [given]);
  }
  return {
    query,
    async one<Result extends object>(text: string | TemplateStringsArray, ...values: readonly unknown[]) {
      const [row, ...others] = await query<Result>(text, ...values);
      if (row === undefined || others.length > 0) throw new Error("There is not exactly one row.");
      return row;
    },
  };
}
