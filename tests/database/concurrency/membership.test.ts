import type pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { named } from "../policies/matrix.ts";
import { become, connect, refusalOf, useActing } from "../support/acting.ts";
import { type Role, type Stage, setStage } from "../support/stage.ts";
import { race } from "./race.ts";

const acting = useActing();
let stage: Stage;
beforeEach(async () => {
  stage = await setStage(acting.adminUrl, acting.admin);
});

describe("the two admins of a team who leave at the same time", () => {
  const leave = (role: "owner" | "teamMate") => ({
    by: role,
    statement: `delete from nectar.team_members where team_id = :team and user_id = :${role}`,
  });
  beforeEach(async () => {
    await acting.admin.query("update nectar.team_members set role = 'admin' where team_id = $1 and user_id = $2", [
      stage.ids.team,
      stage.ids.teamMate,
    ]);
  });

  it.each([
    ["primary admin first", "owner", "teamMate"],
    ["co-admin first", "teamMate", "owner"],
  ] as const)("leave one behind: %s", async (_, first, second) => {
    expect(await run(leave(first), leave(second))).toEqual({ waited: true, second: "team.last_admin" });
    expect(await adminsOfTeam()).toEqual([{ user_id: stage.ids[second], is_primary: true }]);
  });

  it("cannot both leave, however they interleave", async () => {
    for (let round = 0; round < 10; round += 1) {
      stage = await setStage(acting.adminUrl, acting.admin);
      await acting.admin.query("update nectar.team_members set role = 'admin' where team_id = $1", [stage.ids.team]);
      const connections = await Promise.all([connect(acting.apiUrl), connect(acting.apiUrl)]);
      const outcomes = await Promise.all(
        (["owner", "teamMate"] as const).map((role, index) => attempt(connections[index], leave(role))),
      );
      await Promise.all(connections.map((connection) => connection.end()));
      expect(outcomes.toSorted()).toEqual(["left", "team.last_admin"]);
      expect(await adminsOfTeam()).toHaveLength(1);
    }
  });
});

describe("an organization that is transferred to a member who leaves", () => {
  const transfer = { by: "owner", statement: "select private.transfer_organization(:organization, :orgMate)" } as const;
  const leave = {
    by: "orgMate",
    statement: "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
  } as const;

  it("has an owner who stays if the transfer is first", async () => {
    expect(await run(transfer, leave)).toEqual({ waited: true, second: "organization.owner_cannot_leave" });
    expect(await owners()).toEqual([{ user_id: stage.ids.orgMate }]);
  });

  it("keeps its owner if the member leaves first", async () => {
    expect(await run(leave, transfer)).toEqual({ waited: true, second: "organization.not_a_member" });
    expect(await owners()).toEqual([{ user_id: stage.ids.owner }]);
  });
});

describe("a new primary admin of a team", () => {
  const appoint = { by: "owner", statement: "select private.change_team_admin(:team, :orgMate)" } as const;

  it("is refused while leaving the organization", async () => {
    const leave = {
      by: "orgMate",
      statement: "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
    } as const;
    expect(await run(leave, appoint)).toEqual({ waited: true, second: "team.not_an_organization_member" });
  });

  it("is refused while the team is deleted", async () => {
    const remove = { by: "owner", statement: "delete from nectar.teams where id = :team" } as const;
    expect(await run(remove, appoint)).toEqual({ waited: true, second: "team.not_found" });
  });
});

it("a new owner is refused while the organization is deleted", async () => {
  const remove = { by: "owner", statement: "delete from nectar.organizations where id = :organization" } as const;
  const transfer = { by: "owner", statement: "select private.transfer_organization(:organization, :orgMate)" } as const;
  expect(await run(remove, transfer)).toEqual({ waited: true, second: "organization.not_found" });
});

describe("a member who is added to a team while leaving its organization", () => {
  const join = {
    by: "owner",
    statement: "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)",
  } as const;
  const leave = {
    by: "orgMate",
    statement: "delete from nectar.organization_members where org_id = :organization and user_id = :orgMate",
  } as const;

  it("is in neither afterwards, in either order", async () => {
    expect(await run(join, leave)).toEqual({ waited: true, second: 1 });
    expect(await membershipsOf(stage.ids.orgMate)).toBe(0);
    stage = await setStage(acting.adminUrl, acting.admin);
    expect(await run(leave, join)).toEqual({ waited: true, second: "23503" });
    expect(await membershipsOf(stage.ids.orgMate)).toBe(0);
  });
});

interface Side {
  readonly by: Role;
  readonly statement: string;
}

async function attempt(connection: pg.Client | undefined, side: Side): Promise<string> {
  if (connection === undefined) throw new Error("There is a connection for each of them.");
  const { by, statement } = move(side);
  try {
    await connection.query("begin");
    await become(connection, by);
    await connection.query(statement);
    await connection.query("commit");
    return "left";
  } catch (error) {
    return refusalOf(error);
  }
}

function move({ by, statement }: Side) {
  return { by: stage.actors[by], statement: named(stage, statement) };
}

function run(first: Side, second: Side) {
  return race(acting.apiUrl, acting.admin, move(first), move(second));
}

async function adminsOfTeam() {
  const { rows } = await acting.admin.query(
    `select m.user_id, t.admin_id = m.user_id as is_primary
     from nectar.team_members m join nectar.teams t on t.id = m.team_id where t.id = $1 and m.role = 'admin'`,
    [stage.ids.team],
  );
  return rows;
}

async function owners() {
  const { rows } = await acting.admin.query(
    `select m.user_id from nectar.organizations o
     join nectar.organization_members m on m.org_id = o.id and m.user_id = o.owner_id where o.id = $1`,
    [stage.ids.organization],
  );
  return rows;
}

async function membershipsOf(person: string) {
  const { rowCount } = await acting.admin.query(
    `select from nectar.organization_members where user_id = $1
     union all select from nectar.team_members where user_id = $1`,
    [person],
  );
  return rowCount;
}
