import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import { type Action, describePermissions } from "#tests/permission-table";

const api = useApi();
const path = "/api/teams";

const ACTIONS: readonly Action[] = [
  // Statuses of: owner, admin, member, primary admin, co-admin, team mate, ex-member, stranger, super admin, no token
  {
    name: "list the teams of an organization",
    request: ({ orgId }) => ["GET", `/api/teams?org_id=${orgId}`],
    statuses: [200, 200, 200, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "create a team",
    request: ({ orgId }, cast) => ["POST", "/api/teams", { name: "New", org_id: orgId, admin_id: cast.member.id }],
    statuses: [201, 201, 201, 201, 201, 201, 403, 403, 201, 401],
  },
  {
    name: "view a team",
    request: ({ teamId }) => ["GET", `${path}/${teamId}`],
    statuses: [200, 200, 200, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "view the members of a team",
    request: ({ teamId }) => ["GET", `${path}/${teamId}/members`],
    statuses: [200, 200, 200, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "read the messages of a team",
    request: ({ teamId }) => ["GET", `${path}/${teamId}/messages`],
    statuses: [403, 403, 403, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "update a team's name and description",
    request: ({ teamId }) => ["PUT", `${path}/${teamId}`, { name: "Renamed", description: "About" }],
    statuses: [403, 403, 403, 200, 200, 403, 403, 403, 200, 401],
  },
  {
    name: "update a team's settings",
    request: ({ teamId }) => ["PUT", `${path}/${teamId}`, { settings: { a: 1 } }],
    statuses: [403, 403, 403, 200, 200, 403, 403, 403, 200, 401],
  },
  {
    name: "change a team's admin_id",
    request: ({ teamId }, cast) => ["PUT", `${path}/${teamId}`, { admin_id: cast.member.id }],
    statuses: [200, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "change a team's name and admin_id at once",
    request: ({ teamId }, cast) => ["PUT", `${path}/${teamId}`, { name: "Renamed", admin_id: cast.member.id }],
    statuses: [403, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "delete a team",
    request: ({ teamId }) => ["DELETE", `${path}/${teamId}`],
    statuses: [403, 403, 403, 200, 200, 403, 403, 403, 200, 401],
  },
  {
    name: "add a team member",
    request: ({ teamId }, cast) => ["POST", `${path}/${teamId}/members`, { user_id: cast.member.id, role: "admin" }],
    statuses: [403, 403, 403, 201, 201, 403, 403, 403, 201, 401],
  },
  {
    name: "add a team member from outside the organization",
    request: ({ teamId }, cast) => ["POST", `${path}/${teamId}/members`, { user_id: cast.newcomer.id }],
    statuses: [403, 403, 403, 400, 400, 403, 403, 403, 400, 401],
  },
  {
    name: "change a team member's role",
    request: ({ teamId }, cast) => ["PUT", `${path}/${teamId}/members/${cast.teammate.id}`, { role: "admin" }],
    statuses: [403, 403, 403, 200, 200, 403, 403, 403, 200, 401],
  },
  {
    name: "change the primary admin's role",
    request: ({ teamId }, cast) => ["PUT", `${path}/${teamId}/members/${cast.primary.id}`, { role: "member" }],
    statuses: [403, 403, 403, 400, 400, 403, 403, 403, 400, 401],
  },
  {
    name: "remove a team member (who may leave)",
    request: ({ teamId }, cast) => ["DELETE", `${path}/${teamId}/members/${cast.teammate.id}`],
    statuses: [403, 403, 403, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "remove a co-admin (who may leave)",
    request: ({ teamId }, cast) => ["DELETE", `${path}/${teamId}/members/${cast.coAdmin.id}`],
    statuses: [403, 403, 403, 200, 200, 403, 403, 403, 200, 401],
  },
  {
    name: "remove the primary admin (who may leave)",
    request: ({ teamId }, cast) => ["DELETE", `${path}/${teamId}/members/${cast.primary.id}`],
    statuses: [403, 403, 403, 200, 400, 403, 403, 403, 400, 401],
  },
];

describe("who may do what with a team", () => describePermissions(api, ACTIONS));

it("user_role is the role of the caller in the organization and in the team, or null", async () => {
  const cast = await signUpCast(api);
  const { orgId, teamId } = await stage(api, cast);
  const roles: Record<string, [unknown, unknown]> = {};
  for (const actor of ["owner", "admin", "member", "primary", "coAdmin", "teammate", "superAdmin"] as const) {
    const organization = await api.get(`/api/organizations/${orgId}`, cast[actor]);
    const team = await api.get(`/api/teams/${teamId}`, cast[actor]);
    roles[actor] = [organization.body.user_role, team.body.user_role];
  }
  expect(roles).toEqual({
    owner: ["owner", null],
    admin: ["admin", null],
    member: ["member", null],
    primary: ["member", "admin"],
    coAdmin: ["member", "admin"],
    teammate: ["member", "member"],
    superAdmin: [null, null],
  });
});
