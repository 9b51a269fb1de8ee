import { expect, it } from "vitest";
import type { Role } from "../support/stage.ts";
import { type Move, useRaces } from "./race.ts";

const { acting, stage, race } = useRaces();

const rename = (role: Role) => [role, `update nectar.profiles set full_name = 'New Name' where id = :${role}`] as const;
const ADD = [
  "owner",
  "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)",
] as const;
const LEAVE = [
  "orgMate",
  "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
] as const;

/** A race, and the names of a person in their organization after it. */
async function namesAfter(first: Move, second: Move, person: "stranger" | "orgMate") {
  const result = await race(first, second);
  const rows = await acting.query<{ full_name: string }>`
    select full_name from nectar.member_names where user_id = ${stage.ids[person]} and word_number = 1`;
  return { ...result, names: rows.map(({ full_name }) => full_name) };
}

it.each<[string, Move, Move, "stranger" | "orgMate", string[]]>([
  ["is the new one if the person is added during a rename", rename("stranger"), ADD, "stranger", ["New Name"]],
  ["is the new one if the person is renamed while being added", ADD, rename("stranger"), "stranger", ["New Name"]],
  ["is gone if the person is renamed while leaving", LEAVE, rename("orgMate"), "orgMate", []],
  ["is gone if the person leaves during a rename", rename("orgMate"), LEAVE, "orgMate", []],
])("the name of a member %s", async (_, first, second, person, names) => {
  expect(await namesAfter(first, second, person)).toEqual({ waited: true, second: 1, names });
});
