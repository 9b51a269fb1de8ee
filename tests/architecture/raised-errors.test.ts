import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { allErrorCodes } from "#core/errors";
import { ROOT } from "./sources.ts";

const raises = globSync("supabase/schemas/**/*.sql", { cwd: ROOT })
  .map((path) => readFileSync(posix.join(ROOT, path), "utf8"))
  .flatMap((sql) => sql.match(/raise exception[^;]*;/gi) ?? []);

describe("every error that our SQL raises", () => {
  it("has the SQLSTATE NX000 and an error code in its detail", () => {
    expect(raises.filter((statement) => codeOf(statement) === null)).toEqual([
      // PostgreSQL's own code for a transaction that would have to write: the API runs it again as one that may.
      "raise exception 'what a super admin reads is logged' using errcode = 'read_only_sql_transaction';",
      // The one function that is open to Supabase's data API refuses in that API's own terms.
      "raise exception 'only your own usage' using errcode = '42501';",
      // A read that a replica refuses is done on the primary.
      "raise exception 'the replica lags' using errcode = 'NX001';",
      "raise exception 'the replica is behind the caller' using errcode = 'NX002';",
    ]);
  });

  it("has a code of the catalogue", () => {
    const codes = raises.flatMap((statement) => codeOf(statement) ?? []);
    expect(codes.length).toBeGreaterThan(20);
    expect(allErrorCodes()).toEqual(expect.arrayContaining(codes));
  });
});

function codeOf(statement: string): string | null {
  return /using errcode = 'NX000', detail = '([^']+)'(?:,\s+column = '\w+', hint = .+)?;$/.exec(statement)?.[1] ?? null;
}
