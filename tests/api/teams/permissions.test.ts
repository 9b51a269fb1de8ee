import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import { type Action, describePermissions, type TableCast } from "#tests/permission-table";

const api = useApi();

// Owner, admin, member, primary admin, co-admin, team mate, ex-member, stranger, super admin, no token.
const MEMBERS = (status: number) => [...Array(6).fill(status), 403, 403, status === 201 ? 201 : 200, 401];
const READERS = [403, 403, 403, 200, 200, 200, 403, 403, 200, 401];
const ADMINS = (status: number) => [403, 403, 403, status, status, 403, 403, 403, status, 401];
const OWNERS = [200, 403, 403, 403, 403, 403, 403, 403, 200, 401];
const SUPER_ADMINS = [403, 403, 403, 403, 403, 403, 403, 403, 200, 401];
const ADMINS_AND_SELF = [403, 403, 403, 200, 200, 200, 403, 403, 200, 401];
const ONLY_SELF = [403, 403, 403, 200, 400, 403, 403, 403, 400, 401];

type At = (cast: TableCast) => string;
type Body = (cast: TableCast) => object;
const at = (text: string) => () => text;

const ROWS: readonly [name: string, statuses: readonly number[], method: string, at?: At, body?: Body][] = [
  ["view a team", MEMBERS(200), "GET"],
  ["view the members of a team", MEMBERS(200), "GET", at("/members")],
  ["read the messages of a team", READERS, "GET", at("/messages")],
  ["update name and description", ADMINS(200), "PUT", at(""), () => ({ name: "Renamed", description: "About" })],
  ["update settings", ADMINS(200), "PUT", at(""), () => ({ settings: { a: 1 } })],
  ["change admin_id", OWNERS, "PUT", at(""), (c) => ({ admin_id: c.member.id })],
  ["change name and admin_id", SUPER_ADMINS, "PUT", at(""), (c) => ({ name: "Renamed", admin_id: c.member.id })],
  ["delete a team", ADMINS(200), "DELETE"],
  ["add a member", ADMINS(201), "POST", at("/members"), (c) => ({ user_id: c.member.id, role: "admin" })],
  ["add an outsider", ADMINS(400), "POST", at("/members"), (c) => ({ user_id: c.newcomer.id })],
  ["change a member's role", ADMINS(200), "PUT", (c) => `/members/${c.teammate.id}`, () => ({ role: "admin" })],
  ["change the primary's role", ADMINS(400), "PUT", (c) => `/members/${c.primary.id}`, () => ({ role: "member" })],
  ["remove a member (who may leave)", ADMINS_AND_SELF, "DELETE", (c) => `/members/${c.teammate.id}`],
  ["remove a co-admin (who may leave)", ADMINS(200), "DELETE", (c) => `/members/${c.coAdmin.id}`],
  ["remove the primary admin (who may leave)", ONLY_SELF, "DELETE", (c) => `/members/${c.primary.id}`],
];

const ACTIONS: readonly Action[] = [
  { name: "list teams", statuses: MEMBERS(200), request: ({ orgId }) => ["GET", `/api/teams?org_id=${orgId}`] },
  {
    name: "create a team",
    statuses: MEMBERS(201),
    request: ({ orgId }, { member }) => ["POST", "/api/teams", { name: "New", org_id: orgId, admin_id: member.id }],
  },
  ...ROWS.map(
    ([name, statuses, method, at, body]): Action => ({
      name,
      statuses,
      request({ teamId }, cast) {
        const path = `/api/teams/${teamId}${at?.(cast) ?? ""}`;
        return body === undefined ? [method, path] : [method, path, body(cast)];
      },
    }),
  ),
];

describe("who may do what with a team", () => describePermissions(api, ACTIONS));

it("user_role is the role of the caller in the organization and in the team, or null", async () => {
  const cast = await signUpCast(api);
  const { orgId, teamId } = await stage(api, cast);
  const roles: Record<string, [unknown, unknown]> = {};
  for (const actor of ["owner", "admin", "member", "primary", "coAdmin", "teammate", "superAdmin"] as const) {
    const organization = await api.get(`/api/organizations/${orgId}`, cast[actor]).ok();
    const team = await api.get(`/api/teams/${teamId}`, cast[actor]).ok();
    roles[actor] = [organization.user_role, team.user_role];
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
