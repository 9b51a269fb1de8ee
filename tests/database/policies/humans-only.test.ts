import { beforeEach, describe, expect, it } from "vitest";
import { beforeEachTest } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, setStage } from "../support/stage.ts";

const acting = useActing();
const stage = beforeEachTest(() => setStage(acting.adminUrl, acting.admin));
beforeEach(() =>
  acting.admin.query("update nectar.profiles set is_ai = true where id = any ($1)", [
    [stage.ids.orgMate, stage.ids.stranger],
  ]),
);

const CASES: readonly (readonly [what: string, statement: string, refused: string])[] = [
  [
    "a member of an organization",
    "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)",
    "42501",
  ],
  [
    "a member of a team",
    "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)",
    "42501",
  ],
  [
    "the primary admin of a new team",
    "insert into nectar.teams (org_id, name, admin_id) values (:organization, 'Drones', :orgMate)",
    "42501",
  ],
  ["the primary admin of a team", "select private.change_team_admin(:team, :orgMate)", "user.not_found"],
  ["the owner", "select private.transfer_organization(:organization, :orgMate)", "user.not_found"],
  [
    "the recipient of a tone pack",
    "insert into nectar.tone_pack_shares (pack_id, user_id) values (:tonePack, :orgMate)",
    "42501",
  ],
];

describe("the database does not accept a synthetic user as", () => {
  it.each(CASES)("%s", async (_, statement, refused) => {
    for (const actor of ["owner", "superAdmin"] as const) {
      // A super admin has no tone pack to share.
      if (actor === "superAdmin" && statement.includes("tone_pack")) continue;
      expect(await acting.outcome(stage.actors[actor], named(stage, statement))).toBe(refused);
    }
    await acting.query`update nectar.profiles set is_ai = false
      where id = any (${[stage.ids.orgMate, stage.ids.stranger]})`;
    expect(await acting.outcome(stage.actors.owner, named(stage, statement))).toBe(1);
  });

  it("a member, also the reserved system user", async () => {
    const statement =
      "insert into nectar.organization_members (org_id, user_id) values (:organization, private.system_user_id())";
    expect(await acting.outcome(stage.actors.owner, named(stage, statement))).toBe("42501");
  });
});
