import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

interface Case {
  readonly by: Person;
  readonly to: Person;
  readonly send: (by: Person, to: Person) => ReturnType<typeof api.put | typeof api.post>;
}

const CASES: Readonly<Record<string, () => Case>> = {
  "adding to an organization": () => ({
    by: cast.owner,
    to: cast.stranger,
    send: (by, to) => api.post(`/api/organizations/${hive.orgId}/members`, by, { user_id: to.id }),
  }),
  "adding to a team": () => ({
    by: cast.coAdmin,
    to: cast.member,
    send: (by, to) => api.post(`/api/teams/${hive.teamId}/members`, by, { user_id: to.id }),
  }),
  "making the admin of a new team": () => ({
    by: cast.owner,
    to: cast.member,
    send: (by, to) => api.post("/api/teams", by, { name: "Drones", org_id: hive.orgId, admin_id: to.id }),
  }),
  "making the primary admin of a team": () => ({
    by: cast.owner,
    to: cast.teammate,
    send: (by, to) => api.put(`/api/teams/${hive.teamId}`, by, { admin_id: to.id }),
  }),
  "making an admin of an organization that one is not in": () => ({
    by: cast.superAdmin,
    to: cast.member,
    send: (by, to) => api.put(`/api/organizations/${hive.orgId}/members/${to.id}`, by, { role: "admin" }),
  }),
  "making an admin of a team that one is not in": () => ({
    by: cast.superAdmin,
    to: cast.teammate,
    send: (by, to) => api.put(`/api/teams/${hive.teamId}/members/${to.id}`, by, { role: "admin" }),
  }),
  "transferring an organization": () => ({
    by: cast.owner,
    to: cast.member,
    send: (by, to) => api.post(`/api/organizations/${hive.orgId}/transfer-ownership`, by, { new_owner_id: to.id }),
  }),
};

const blocking = async (one: Person, other: Person, during: () => Promise<unknown>) => {
  await api.post("/api/blocks", one, { user_id: other.id }).created();
  await during();
  await api.delete(`/api/blocks/${other.id}`, one).ok();
};

describe.each(Object.entries(CASES))("%s", (_, caseOf) => {
  it("is 404 across a block in either direction, and works without one", async () => {
    const { by, to, send } = caseOf();
    await blocking(by, to, () => send(by, to).refused(404, "user.not_found"));
    await blocking(to, by, () => send(by, to).refused(404, "user.not_found"));
    expect((await send(by, to)).status).toBeLessThan(300);
  });
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
