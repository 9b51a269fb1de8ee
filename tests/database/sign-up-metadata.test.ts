import { describe, expect, it } from "vitest";
import { useDatabase } from "#tests/database";
import { asSuperuser } from "#tests/people";

const database = useDatabase();

/** Signs a user up with metadata as Auth stores it, and reads the profile. */
function cardFrom(metadata: string | null) {
  return asSuperuser(database.adminUrl, async (client) => {
    const { rows } = await client.query(
      `with signed_up as (
         insert into auth.users (id, raw_user_meta_data) values (gen_random_uuid(), $1::jsonb) returning id
       )
       select id from signed_up`,
      [metadata],
    );
    const cards = await client.query("select full_name, avatar_url from nectar.profiles where id = $1", [rows[0].id]);
    return cards.rows[0];
  });
}

describe("signing up", () => {
  it("reads name and picture from an object, or from a string that contains one", async () => {
    const said = JSON.stringify({ full_name: "  Ada Lovelace ", avatar_url: "https://example.org/a.png" });
    const card = { full_name: "Ada Lovelace", avatar_url: "https://example.org/a.png" };
    expect(await cardFrom(said)).toEqual(card);
    expect(await cardFrom(JSON.stringify(said))).toEqual(card);
  });

  it.each([
    null,
    "{}",
    "[]",
    "7",
    '"no json"',
    '"["',
    '{"full_name": ""}',
    '{"full_name": null, "avatar_url": "javascript:x"}',
  ])("succeeds without a name for any other metadata: %s", async (metadata) => {
    expect(await cardFrom(metadata)).toEqual({ full_name: null, avatar_url: null });
  });

  it.each([
    ["a NUL", '{"full_name": "Ada\\u0000"}'],
    ["half of a pair", '{"full_name": "Ada\\ud800"}'],
    ["a number beyond all bounds", '{"full_name": "Ada", "age": 1e200000}'],
    ["nesting without end", `{"full_name": "Ada", "deep": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ])("succeeds without a name if the database cannot represent the string: %s", async (_, said) => {
    expect(await cardFrom(JSON.stringify(said))).toEqual({ full_name: null, avatar_url: null });
  });

  it("shortens a name that is too long", async () => {
    expect((await cardFrom(JSON.stringify({ full_name: "🐝".repeat(150) }))).full_name).toBe("🐝".repeat(100));
  });
});
