import { beforeEach, describe, expect, it } from "vitest";
import { named, type Role } from "../support/stage.ts";
import { type Move, useRaces } from "./race.ts";

const { acting, stage, race, setAgain } = useRaces();

const LEAVE_ORGANIZATION: Move = [
  "orgMate",
  "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
];
const TRANSFER: Move = ["owner", "select private.transfer_organization(:organization, :orgMate)"];
const APPOINT: Move = ["owner", "select private.change_team_admin(:team, :orgMate)"];
const JOIN_TEAM: Move = [
  "owner",
  "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)",
];

describe("the two admins of a team who leave at the same time", () => {
  const leave = (role: Role): Move => [
    role,
    `delete from nectar.team_members where team_id = :team and user_id = :${role}`,
  ];
  beforeEach(() =>
    acting.query(named(stage, "update nectar.team_members set role = 'admin' where user_id = :teamMate")),
  );

  it.each([
    ["primary admin first", "owner", "teamMate"],
    ["co-admin first", "teamMate", "owner"],
  ] as const)("leave one behind: %s", async (_, first, second) => {
    expect(await race(leave(first), leave(second))).toEqual({ waited: true, second: "team.last_admin" });
    const admins = await acting.query`
      select m.user_id, t.admin_id = m.user_id as is_primary
      from nectar.team_members m join nectar.teams t on t.id = m.team_id
      where t.id = ${stage.ids.team} and m.role = 'admin'`;
    expect(admins).toEqual([{ user_id: stage.ids[second], is_primary: true }]);
  });
});

it.each<[string, Move, Move, string, owner: "owner" | "orgMate"]>([
  ["has an owner who stays if the transfer is first", TRANSFER, LEAVE_ORGANIZATION, "owner_cannot_leave", "orgMate"],
  ["keeps its owner if the member leaves first", LEAVE_ORGANIZATION, TRANSFER, "not_a_member", "owner"],
])("an organization that is transferred to a member who leaves %s", async (_, first, second, code, owner) => {
  expect(await race(first, second)).toEqual({ waited: true, second: `organization.${code}` });
  const owners = await acting.query`
    select m.user_id from nectar.organizations o
    join nectar.organization_members m on m.org_id = o.id and m.user_id = o.owner_id
    where o.id = ${stage.ids.organization}`;
  expect(owners).toEqual([{ user_id: stage.ids[owner] }]);
});

it.each<[string, Move, Move, string]>([
  ["a new primary admin leaves the organization", LEAVE_ORGANIZATION, APPOINT, "team.not_an_organization_member"],
  ["the team is deleted", ["owner", "delete from nectar.teams where id = :team"], APPOINT, "team.not_found"],
  [
    "the organization is deleted",
    ["owner", "delete from nectar.organizations where id = :organization"],
    TRANSFER,
    "organization.not_found",
  ],
])("an appointment is refused while %s", async (_, first, second, code) => {
  expect(await race(first, second)).toEqual({ waited: true, second: code });
});

it("a member who is added to a team while leaving its organization is in neither afterwards, in either order", async () => {
  const memberships = () =>
    acting.query`
      select from nectar.organization_members where user_id = ${stage.ids.orgMate}
      union all select from nectar.team_members where user_id = ${stage.ids.orgMate}`;
  expect(await race(JOIN_TEAM, LEAVE_ORGANIZATION)).toEqual({ waited: true, second: 1 });
  expect(await memberships()).toEqual([]);
  await setAgain();
  expect(await race(LEAVE_ORGANIZATION, JOIN_TEAM)).toEqual({ waited: true, second: "23503" });
  expect(await memberships()).toEqual([]);
});
