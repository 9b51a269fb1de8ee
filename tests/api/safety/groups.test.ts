import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { type Cast, signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

/** Who does what to whom across the block, with the method, path and body of the request. */
const CASES: readonly [string, keyof Cast, keyof Cast, (id: string) => ["POST" | "PUT", string, object]][] = [
  ["adding to an organization", "owner", "stranger", (user_id) => ["POST", `${org()}/members`, { user_id }]],
  ["adding to a team", "coAdmin", "member", (user_id) => ["POST", `${team()}/members`, { user_id }]],
  [
    "making the admin of a new team",
    "owner",
    "member",
    (admin_id) => ["POST", "/api/teams", { name: "Drones", org_id: hive.orgId, admin_id }],
  ],
  ["making the primary admin of a team", "owner", "teammate", (admin_id) => ["PUT", team(), { admin_id }]],
  [
    "making an admin of an organization that one is not in",
    "superAdmin",
    "member",
    (id) => ["PUT", `${org()}/members/${id}`, { role: "admin" }],
  ],
  [
    "making an admin of a team that one is not in",
    "superAdmin",
    "teammate",
    (id) => ["PUT", `${team()}/members/${id}`, { role: "admin" }],
  ],
  [
    "transferring an organization",
    "owner",
    "member",
    (new_owner_id) => ["POST", `${org()}/transfer-ownership`, { new_owner_id }],
  ],
];
const org = () => `/api/organizations/${hive.orgId}`;
const team = () => `/api/teams/${hive.teamId}`;

const blocking = async (one: Person, other: Person, during: () => Promise<unknown>) => {
  await api.post("/api/blocks", one, { user_id: other.id }).created();
  await during();
  await api.delete(`/api/blocks/${other.id}`, one).ok();
};

it.each(CASES)("%s is 404 across a block in either direction, and works without one", async (_, from, to, request) => {
  const [one, other] = [cast[from], cast[to]];
  const [method, path, body] = request(other.id);
  const send = () => api.send(method, path, { as: one, body });
  await blocking(one, other, () => send().refused(404, "user.not_found"));
  await blocking(other, one, () => send().refused(404, "user.not_found"));
  expect((await send()).status).toBeLessThan(300);
});

describe("a block between two members", () => {
  it("does not keep one from making the other an admin of the same group", async () => {
    const { owner, member, coAdmin, teammate } = cast;
    const admin = { role: "admin" };
    await blocking(member, owner, () =>
      api.put(`/api/organizations/${hive.orgId}/members/${member.id}`, owner, admin).ok(),
    );
    await blocking(teammate, coAdmin, () =>
      api.put(`/api/teams/${hive.teamId}/members/${teammate.id}`, coAdmin, admin).ok(),
    );
  });

  it("shows no block to who transfers an organization to someone who is not a member", async () => {
    const { owner, stranger } = cast;
    await blocking(stranger, owner, () =>
      api
        .post(`/api/organizations/${hive.orgId}/transfer-ownership`, owner, { new_owner_id: stranger.id })
        .refused(400, "organization.not_a_member"),
    );
  });
});
