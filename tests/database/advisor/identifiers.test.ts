import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const MAX_IDENTIFIER_BYTES = 63;

const folder = new URL("../../../supabase/schemas/", import.meta.url);
const schemas = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sql"));

describe("identifiers in the schemas", () => {
  // PostgreSQL cuts off a longer name with no more than a notice, so the catalog cannot show that it happened.
  it.each(schemas)("have at most 63 bytes: %s", (name) => {
    expect(longIdentifiers(readFileSync(new URL(name, folder), "utf8"))).toEqual([]);
  });

  it("are measured in bytes, quoted or not; comments and texts do not count", () => {
    const [long, umlauts] = ["x".repeat(64), "ü".repeat(32)];
    const sql = `-- ${long} isn't one
      create policy "${umlauts}" on nectar.teams for select using (name = '${long} isn''t "one"');
      create index ${long} on nectar.teams (name); /* ${long} */`;
    expect(longIdentifiers(sql)).toEqual([umlauts, long]);
    expect(longIdentifiers(`create policy "${"x".repeat(63)}" on nectar.teams`)).toEqual([]);
  });
});

function longIdentifiers(sql: string): string[] {
  const tokens = sql.matchAll(
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?<quoted>(?:[^"]|"")*)"|(?<bare>[\p{L}_][\p{L}\p{N}_$]*)/gu,
  );
  return [...tokens]
    .map(({ groups }) => groups?.quoted ?? groups?.bare ?? "")
    .filter((identifier) => Buffer.byteLength(identifier) > MAX_IDENTIFIER_BYTES);
}
