import { describe } from "vitest";
import { useApi } from "#tests/api";
import { type Action, describePermissions } from "#tests/permission-table";

const api = useApi();
const path = "/api/organizations";

const ACTIONS: readonly Action[] = [
  // Statuses of: owner, admin, member, primary admin, co-admin, team mate, ex-member, stranger, super admin, no token
  {
    name: "view an organization",
    request: ({ orgId }) => ["GET", `${path}/${orgId}`],
    statuses: [200, 200, 200, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "view the members of an organization",
    request: ({ orgId }) => ["GET", `${path}/${orgId}/members`],
    statuses: [200, 200, 200, 200, 200, 200, 403, 403, 200, 401],
  },
  {
    name: "update an organization",
    request: ({ orgId }) => ["PUT", `${path}/${orgId}`, { name: "Renamed", settings: { a: 1 } }],
    statuses: [200, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "delete an organization",
    request: ({ orgId }) => ["DELETE", `${path}/${orgId}`],
    statuses: [200, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "add an organization member",
    request: ({ orgId }, cast) => ["POST", `${path}/${orgId}/members`, { user_id: cast.newcomer.id, role: "admin" }],
    statuses: [201, 403, 403, 403, 403, 403, 403, 403, 201, 401],
  },
  {
    name: "add an organization member as owner",
    request: ({ orgId }, cast) => ["POST", `${path}/${orgId}/members`, { user_id: cast.newcomer.id, role: "owner" }],
    statuses: [400, 400, 400, 400, 400, 400, 400, 400, 400, 401],
  },
  {
    name: "change an organization member's role",
    request: ({ orgId }, cast) => ["PUT", `${path}/${orgId}/members/${cast.teammate.id}`, { role: "admin" }],
    statuses: [200, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "make an organization member owner by role",
    request: ({ orgId }, cast) => ["PUT", `${path}/${orgId}/members/${cast.member.id}`, { role: "owner" }],
    statuses: [400, 400, 400, 400, 400, 400, 400, 400, 400, 401],
  },
  {
    name: "change the owner's role",
    request: ({ orgId }, cast) => ["PUT", `${path}/${orgId}/members/${cast.owner.id}`, { role: "member" }],
    statuses: [400, 403, 403, 403, 403, 403, 403, 403, 400, 401],
  },
  {
    name: "remove an organization member (who may leave)",
    request: ({ orgId }, cast) => ["DELETE", `${path}/${orgId}/members/${cast.member.id}`],
    statuses: [200, 403, 200, 403, 403, 403, 403, 403, 200, 401],
  },
  {
    name: "remove the owner from the organization",
    request: ({ orgId }, cast) => ["DELETE", `${path}/${orgId}/members/${cast.owner.id}`],
    statuses: [409, 403, 403, 403, 403, 403, 403, 403, 409, 401],
  },
  {
    name: "transfer the ownership",
    request: ({ orgId }, cast) => ["POST", `${path}/${orgId}/transfer-ownership`, { new_owner_id: cast.member.id }],
    statuses: [200, 403, 403, 403, 403, 403, 403, 403, 200, 401],
  },
];

describe("who may do what with an organization", () => describePermissions(api, ACTIONS));
