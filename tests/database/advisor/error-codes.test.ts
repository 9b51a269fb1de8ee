import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "@nectar/core/errors";
import { SQLSTATES } from "@nectar/database/sqlstates";
import { describe, expect, it } from "vitest";

const folder = new URL("../../../supabase/", import.meta.url);
const migrations = readdirSync(new URL("migrations/", folder))
  .filter((name) => name.endsWith(".sql"))
  .map((name) => readFileSync(new URL(`migrations/${name}`, folder), "utf8"))
  .join("\n");
const page = readFileSync(new URL("ERROR_CODES.md", folder), "utf8");

describe("the SQLSTATEs of our own", () => {
  // The one function that is opened to Supabase's data API refuses in the data API's own terms.
  const raised = unique([...migrations.matchAll(/using errcode = '([^']+)'/g)]).filter((code) => code !== "42501");

  it("are raised in the migrations, explained in ERROR_CODES.md and mapped, all the same ones", () => {
    expect(raised.length).toBeGreaterThan(0);
    expect(raised.filter((code) => !/^NX\d{3}$/.test(code))).toEqual([]);
    expect(unique([...page.matchAll(/^\| (NX\d{3}) \|/gm)])).toEqual(raised);
    expect(Object.keys(SQLSTATES).toSorted()).toEqual(raised);
  });

  it("are explained with the status and code that the API answers", () => {
    for (const [sqlstate, { code, message }] of Object.entries(SQLSTATES)) {
      const line = page.split("\n").find((row) => row.startsWith(`| ${sqlstate} |`)) ?? "";
      expect(line).toContain(`${new AppError(code, message).status} \`${code}\``);
    }
  });

  it("are explained with the functions that raise them", () => {
    for (const [name, body] of functionBodies(migrations)) {
      for (const code of unique([...body.matchAll(/using errcode = '(NX\d{3})'/g)])) {
        expect(
          page.split("\n").find((row) => row.startsWith(`| ${code} |`)),
          code,
        ).toContain(`\`${name}\``);
      }
    }
  });

  it("are the only way in which our SQL raises an error", () => {
    const statements = [...migrations.matchAll(/raise exception[^;]*;/gi)].map(([statement]) => statement);
    expect(statements.filter((statement) => !statement.includes("using errcode = 'NX"))).toEqual([
      "raise exception 'only for oneself' using errcode = '42501';",
    ]);
  });
});

function unique(matches: readonly RegExpMatchArray[]): string[] {
  return [...new Set(matches.map(([, code]) => code ?? ""))].toSorted();
}

function functionBodies(sql: string): [name: string, body: string][] {
  return [...sql.matchAll(/create function (private\.\w+)\([\s\S]*?\$\$([\s\S]*?)\$\$;/g)].map(
    ([, name = "", body = ""]) => [name, body],
  );
}
