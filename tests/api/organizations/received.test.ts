import { describe, expect, it } from "vitest";
import { HAND_BACK_DAYS } from "#core/retention";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
/** A member since the beginning, one who joined later, and the owner of an organization that both are in. */
const scene = beforeEachTest(async () => {
  const [owner, receiver, other] = [await api.person(), await api.person(), await api.person()];
  const { organization } = await api.post("/api/organizations", owner, { name: "Hive" }).created();
  for (const [index, { id }] of [receiver, other].entries()) {
    await api.post(`/api/organizations/${organization.id}/members`, owner, { user_id: id }).created();
    await api.query`update nectar.organization_members set joined_at = now() - ${10 - index} * interval '1 day'
      where org_id = ${organization.id} and user_id = ${id}`;
  }
  return { owner, receiver, other, orgId: organization.id };
});

const give = (from: Person, to: Person) =>
  api.post(`/api/organizations/${scene.orgId}/transfer-ownership`, from, { new_owner_id: to.id });
const decline = (as: Person | undefined, headers = {}) =>
  api.post(`/api/organizations/${scene.orgId}/decline-ownership`, as, {}, headers);
const roleOf = async (person: Person) => (await api.get(`/api/organizations/${scene.orgId}`, person).ok()).user_role;
const receivedBy = async (person: Person) =>
  (await api.get("/api/notifications", person).ok()).notifications.filter(
    ({ type }) => type === "organization_received",
  );
const leave = (person: Person) => api.delete(`/api/organizations/${scene.orgId}/members/${person.id}`, person);
const makeOlder = (days: number) =>
  api.query`update nectar.organizations set received_at = received_at - ${days} * interval '1 day'
    where id = ${scene.orgId}`;
const close = (as: Person) => api.send("DELETE", "/api/user/account", { as, body: { confirm: "DELETE" } });

describe("an organization that is transferred", () => {
  it("is announced to its new owner, without its name", async () => {
    const { owner, receiver, orgId } = scene;
    await give(owner, receiver).ok();
    const notifications = await receivedBy(receiver);
    const texts = { title: "You own an organization now", body: `You can hand it back for ${HAND_BACK_DAYS} days.` };
    const data = { org_id: orgId, given_by: owner.id, is_returned: false };
    expect(notifications).toMatchObject([{ ...texts, data }]);
    expect(JSON.stringify(notifications)).not.toContain("Hive");
    expect(await receivedBy(owner)).toEqual([]);
  });

  it("goes back to the former owner, who is notified, and the receiver keeps the role from before", async () => {
    const { owner, receiver, orgId } = scene;
    await give(owner, receiver).ok();
    await api.put(`/api/organizations/${orgId}`, receiver, { name: "Mine" }).ok();
    expect(await decline(receiver).ok()).toMatchObject({
      organization: { id: orgId, owner_id: owner.id, name: "Mine" },
    });
    expect([await roleOf(owner), await roleOf(receiver)]).toEqual(["owner", "member"]);
    const data = { given_by: receiver.id, is_returned: true };
    expect(await receivedBy(owner)).toMatchObject([{ title: "An organization was handed back to you", data }]);
    await decline(owner).refused(409, "organization.not_received");
  });

  it("is handed back once, and not after 14 days", async () => {
    const { owner, receiver } = scene;
    await give(owner, receiver).ok();
    await decline(receiver).ok();
    await decline(receiver).refused(403, "organization.not_the_owner");
    await give(owner, receiver).ok();
    await makeOlder(14);
    await decline(receiver).refused(409, "organization.not_received");
    expect(await roleOf(receiver)).toBe("owner");
  });

  it("can be handed back by its owner only, and not by who created it or got it back", async () => {
    const { owner, receiver, other } = scene;
    await decline(owner).refused(409, "organization.not_received");
    await give(owner, receiver).ok();
    for (const person of [other, await api.person({ role: "super_admin" })]) {
      await decline(person).refused(403, "organization.not_the_owner");
    }
    await decline(await api.person()).refused(403, "organization.not_a_reader");
    const unknown = `/api/organizations/${crypto.randomUUID()}/decline-ownership` as const;
    await api.post(unknown, receiver).refused(404, "organization.not_found");
    await give(receiver, owner).ok();
    await decline(owner).refused(409, "organization.not_received");
  });

  it("goes to the one who has been a member for the longest time if the former owner has left", async () => {
    const { owner, receiver, other, orgId } = scene;
    await give(owner, other).ok();
    await leave(owner).ok();
    expect(await decline(other).ok()).toMatchObject({ organization: { owner_id: receiver.id } });
    expect(await receivedBy(receiver)).toMatchObject([{ data: { org_id: orgId, is_returned: false } }]);
    expect(await decline(receiver).ok()).toMatchObject({ organization: { owner_id: other.id } });
  });

  it("is deleted if there is no other human member", async () => {
    const { owner, receiver, other } = scene;
    await give(owner, receiver).ok();
    await leave(owner).ok();
    await api.query`update nectar.profiles set is_ai = true where id = ${other.id}`;
    expect(await decline(receiver).ok()).toEqual({ message: "The organization was deleted." });
    await api.get(`/api/organizations/${scene.orgId}`, receiver).refused(404, "organization.not_found");
  });

  it("has one owner after a transfer and a return at once", async () => {
    const { owner, receiver, other, orgId } = scene;
    await give(owner, receiver).ok();
    const responses = await Promise.all([decline(receiver), give(receiver, other)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const winner = responses[0]?.status === 200 ? owner : other;
    expect((await api.get(`/api/organizations/${orgId}`, owner).ok()).organization.owner_id).toBe(winner.id);
  });
});

describe("an organization that was received and never used", () => {
  it("keeps no one from erasing their account, and goes back", async () => {
    const { owner, receiver, orgId } = scene;
    await give(owner, receiver).ok();
    await makeOlder(400);
    const { preview } = await api.get("/api/user/account/erasure", receiver).ok();
    expect(preview).toMatchObject({
      organizations_to_transfer: [],
      organizations_handed_back: [{ id: orgId, name: "Hive" }],
      organizations_removed: [],
    });
    await close(receiver).ok();
    await api.query`delete from auth.users where id = ${receiver.id}`;
    expect(await roleOf(owner)).toBe("owner");
    expect(await receivedBy(owner)).toMatchObject([{ data: { org_id: orgId, is_returned: false } }]);
  });

  const uses: Readonly<Record<string, (as: Person, orgId: string) => Promise<unknown>>> = {
    "changing it": (as, orgId) => api.put(`/api/organizations/${orgId}`, as, { description: "Bees" }).ok(),
    "adding a member": async (as, orgId) =>
      api.post(`/api/organizations/${orgId}/members`, as, { user_id: (await api.person()).id }).created(),
    "changing a role": (as, orgId) =>
      api.put(`/api/organizations/${orgId}/members/${scene.other.id}`, as, { role: "admin" }).ok(),
    "removing a member": (as, orgId) => api.delete(`/api/organizations/${orgId}/members/${scene.other.id}`, as).ok(),
    "creating a team": (as, orgId) => api.post("/api/teams", as, { name: "Comb", org_id: orgId }).created(),
    "inviting someone": (as, orgId) => api.post(`/api/organizations/${orgId}/invitations`, as, {}).created(),
  };
  it.each(Object.entries(uses))("is used by %s", async (_, use) => {
    const { owner, receiver, orgId } = scene;
    await give(owner, receiver).ok();
    await api.get(`/api/organizations/${orgId}/invitations`, receiver).ok();
    await use(receiver, orgId);
    await close(receiver).refused(409, "account.owns_organizations");
  });
});
