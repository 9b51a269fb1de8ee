import { describe } from "vitest";
import { useApi } from "#tests/api";
import { type Action, describePermissions, type TableCast } from "#tests/permission-table";

const api = useApi();

// Owner, admin, member, primary admin, co-admin, team mate, ex-member, stranger, super admin, no token.
const ALL = (status: number) => [...Array(9).fill(status), 401];
const MEMBERS = [200, 200, 200, 200, 200, 200, 403, 403, 200, 401];
const OWNERS = (status: number) => [status, 403, 403, 403, 403, 403, 403, 403, status, 401];
const OWNERS_AND_SELF = [200, 403, 200, 403, 403, 403, 403, 403, 200, 401];

type At = (cast: TableCast) => string;
type Body = (cast: TableCast) => object;

const ROWS: readonly [name: string, statuses: readonly number[], method: string, at?: At, body?: Body][] = [
  ["view an organization", MEMBERS, "GET"],
  ["view the members of an organization", MEMBERS, "GET", () => "/members"],
  ["update an organization", OWNERS(200), "PUT", () => "", () => ({ name: "Renamed", settings: { a: 1 } })],
  ["delete an organization", OWNERS(200), "DELETE"],
  ["add a member", OWNERS(201), "POST", () => "/members", (c) => ({ user_id: c.newcomer.id, role: "admin" })],
  ["add a member as owner", ALL(400), "POST", () => "/members", (c) => ({ user_id: c.newcomer.id, role: "owner" })],
  ["change a member's role", OWNERS(200), "PUT", (c) => `/members/${c.teammate.id}`, () => ({ role: "admin" })],
  ["make a member owner by role", ALL(400), "PUT", (c) => `/members/${c.member.id}`, () => ({ role: "owner" })],
  ["change the owner's role", OWNERS(400), "PUT", (c) => `/members/${c.owner.id}`, () => ({ role: "member" })],
  ["remove a member (who may leave)", OWNERS_AND_SELF, "DELETE", (c) => `/members/${c.member.id}`],
  ["remove the owner", OWNERS(409), "DELETE", (c) => `/members/${c.owner.id}`],
  ["transfer the ownership", OWNERS(200), "POST", () => "/transfer-ownership", (c) => ({ new_owner_id: c.member.id })],
];

const ACTIONS = ROWS.map(
  ([name, statuses, method, at, body]): Action => ({
    name,
    statuses,
    request({ orgId }, cast) {
      const path = `/api/organizations/${orgId}${at?.(cast) ?? ""}`;
      return body === undefined ? [method, path] : [method, path, body(cast)];
    },
  }),
);

describe("who may do what with an organization", () => describePermissions(api, ACTIONS));
