import pg from "pg";

const { builtins } = pg.types;

/**
 * How values of PostgreSQL are parsed: timestamps as RFC 3339 strings in UTC with milliseconds, dates as `YYYY-MM-DD`,
 * numerics as decimal strings. An integer that JavaScript cannot represent exactly is an error.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    const parser = format === "binary" ? undefined : PARSERS.get(oid);
    return parser ?? pg.types.getTypeParser(oid, format);
  },
};

const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamptz],
  [builtins.DATE, (text) => text],
  [builtins.NUMERIC, (text) => text],
  [builtins.INT8, parseInt8],
]);

/** `2026-11-21 01:13:54.26+00` as `2026-11-21T01:13:54.260Z`; sessions run in UTC, so the offset is always zero. */
export function parseTimestamptz(text: string): string {
  const match = /^(\d{4,}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/.exec(text);
  const [, date, time, fraction = ""] = match ?? [];
  if (date === undefined || time === undefined) {
    throw new Error("PostgreSQL returned a timestamp that is not in UTC");
  }
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

/** A bigint as a number. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new Error("PostgreSQL returned an integer that JavaScript cannot represent exactly");
  return value;
}
