import { describe, expect, it } from "vitest";
import { beforeEachTest } from "#tests/prepare";
import { named } from "../policies/matrix.ts";
import { useActing } from "../support/acting.ts";
import { type Role, setStage } from "../support/stage.ts";
import { race } from "./race.ts";

const acting = useActing();
const stage = beforeEachTest(() => setStage(acting.adminUrl, acting.admin));

const rename = (role: Role) => [role, `update nectar.profiles set full_name = 'New Name' where id = :${role}`] as const;
const ADD = [
  "owner",
  "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)",
] as const;
const LEAVE = [
  "orgMate",
  "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
] as const;

/** Runs one statement, then the other before the first is committed, and reads the names of a person in their organization. */
async function namesAfter(
  first: readonly [Role, string],
  second: readonly [Role, string],
  person: "stranger" | "orgMate",
) {
  const [one, other] = [first, second].map(([role, statement]) => ({
    by: stage.actors[role],
    statement: named(stage, statement),
  }));
  if (one === undefined || other === undefined) throw new Error("There are two sides.");
  const result = await race(acting.apiUrl, acting.admin, one, other);
  const rows = await acting.query<{ full_name: string }>`
    select full_name from nectar.member_names where user_id = ${stage.ids[person]} and word_number = 1`;
  return { ...result, names: rows.map(({ full_name }) => full_name) };
}

describe("the name of a member", () => {
  it("is the new one if the person is added during a rename", async () => {
    const expected = { waited: true, second: 1, names: ["New Name"] };
    expect(await namesAfter(rename("stranger"), ADD, "stranger")).toEqual(expected);
  });

  it("is the new one if the person is renamed while being added", async () => {
    const expected = { waited: true, second: 1, names: ["New Name"] };
    expect(await namesAfter(ADD, rename("stranger"), "stranger")).toEqual(expected);
  });

  it("is gone if the person is renamed while leaving", async () => {
    expect(await namesAfter(LEAVE, rename("orgMate"), "orgMate")).toEqual({ waited: true, second: 1, names: [] });
  });

  it("is gone if the person leaves during a rename", async () => {
    expect(await namesAfter(rename("orgMate"), LEAVE, "orgMate")).toEqual({ waited: true, second: 1, names: [] });
  });
});
