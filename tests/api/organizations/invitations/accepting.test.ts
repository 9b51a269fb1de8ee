import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { invitationsOf, newAddress } from "./inviting.ts";

const api = useApi();
const { found, invite, accept, newTeam, list, received, membersOf, expire, block } = invitationsOf(api);
const hive = beforeEachTest(found);
const ada = beforeEachTest(() => api.person());

describe("what went wrong in another product and is promised here", () => {
  it("a link works for an account that is created after it was opened", async () => {
    const { token } = await invite(hive.owner, hive.orgId);
    const joined = await accept(await api.person(), { token }).created();
    expect(joined).toMatchObject({ organization: { id: hive.orgId } });
  });

  it("an invitation by address waits for an account that signs up some other way", async () => {
    const email = newAddress();
    const { id } = await invite(hive.owner, hive.orgId, { email });
    const newcomer = await api.person({ email: email.toUpperCase() });
    expect(await received(newcomer)).toMatchObject([{ id }]);
    await accept(newcomer, { invitation_id: id }).created();
  });

  it("a person who has an account already is notified, and accepts with it", async () => {
    const { id } = await invite(hive.owner, hive.orgId, { email: ada.email });
    expect((await api.get("/api/notifications", ada).ok()).unread_count).toBe(1);
    expect(await received(ada)).toMatchObject([{ id }]);
    await accept(ada, { invitation_id: id }).created();
  });

  it("an invitation of an organization that is gone is 404, and the list of invitations still works", async () => {
    const [{ owner, orgId }, other] = [hive, await found()];
    const gone = await invite(owner, orgId, { email: ada.email });
    const { id } = await invite(other.owner, other.orgId, { email: ada.email });
    await api.delete(`/api/organizations/${orgId}`, owner).ok();
    await accept(ada, { token: gone.token }).refused(404, "invitation.not_found");
    await accept(ada, { invitation_id: gone.id }).refused(404, "invitation.not_found");
    expect(await received(ada)).toMatchObject([{ id }]);
  });

  it("accepting twice makes one member, uses one use and sends no notification", async () => {
    const { owner, orgId } = hive;
    const { id, token } = await invite(owner, orgId, { max_uses: 5 });
    const first = await accept(ada, { token }).created();
    expect(await accept(ada, { token }).ok()).toEqual(first);
    expect(await membersOf(orgId)).toHaveLength(2);
    expect(await list(owner, orgId)).toMatchObject([{ id, uses: 1, status: "pending" }]);
    expect((await api.get("/api/notifications", ada).ok()).notifications).toEqual([]);
  });

  it("a second invitation can be sent after the first was declined, revoked, expired or accepted by someone who left", async () => {
    const { owner, orgId, path } = hive;
    const again = () => invite(owner, orgId, { email: ada.email });
    await api.post("/api/invitations/decline", ada, { invitation_id: (await again()).id }).ok();
    await api.delete(`${path}/${(await again()).id}`, owner).ok();
    await expire((await again()).id);
    await accept(ada, { token: (await again()).token }).created();
    await api.delete(`/api/organizations/${orgId}/members/${ada.id}`, ada).ok();
    await accept(ada, { token: (await again()).token }).created();
  });
});

describe("accepting", () => {
  it("makes a member with the role, who has accepted and can be mailed, and joins the teams that still exist", async () => {
    const { owner, orgId } = hive;
    const [team, gone] = [await newTeam(owner, orgId), await newTeam(owner, orgId)];
    const { token } = await invite(owner, orgId, { role: "admin", team_ids: [team, gone] });
    await api.delete(`/api/teams/${gone}`, owner).ok();
    const joined = await accept(ada, { token }).created();
    expect(joined).toMatchObject({
      member: { user_id: ada.id, role: "admin", is_owner: false },
      organization: { id: orgId, name: "Hive" },
      skipped_team_ids: [gone],
    });
    expect((await api.get(`/api/teams/${team}`, ada).ok()).user_role).toBe("member");
    expect(
      await api.query`select acted_at is not null as acted from nectar.organization_members where user_id = ${ada.id}`,
    ).toEqual([{ acted: true }]);
  });

  it("as a member is 200 in the same shape: no use is counted, the role stays, missing teams are joined", async () => {
    const { owner, orgId } = hive;
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: ada.id, role: "admin" }).created();
    const team = await newTeam(owner, orgId);
    const { token } = await invite(owner, orgId, { team_ids: [team] });
    const joined = await accept(ada, { token }).ok();
    expect(joined).toMatchObject({ member: { user_id: ada.id, role: "admin" }, skipped_team_ids: [] });
    expect((await api.get(`/api/teams/${team}`, ada).ok()).user_role).toBe("member");
    expect(await list(owner, orgId)).toMatchObject([{ uses: 0 }]);
    expect(await accept(owner, { token }).ok()).toMatchObject({ member: { role: "owner" } });
  });

  it("an invitation that is used up is 200 for the one who used it, and 404 for others", async () => {
    const { owner, orgId } = hive;
    const { token } = await invite(owner, orgId);
    await accept(ada, { token }).created();
    await accept(ada, { token }).ok();
    await accept(await api.person(), { token }).refused(404, "invitation.not_found");
    expect(await list(owner, orgId)).toMatchObject([{ uses: 1, status: "accepted" }]);
  });

  it("needs either a token or an id", async () => {
    await api.post("/api/invitations/accept", ada, {}).invalid("");
    await api.post("/api/invitations/accept", ada, { token: "t", invitation_id: randomUUID() }).invalid("");
  });

  it("leaves a member in the organization when the invitation is revoked afterwards; revoking again is 200", async () => {
    const { owner, orgId, path } = hive;
    const { id, token } = await invite(owner, orgId, { max_uses: 2 });
    await accept(ada, { token }).created();
    const revoked = await api.delete(`${path}/${id}`, owner).ok();
    expect(await api.delete(`${path}/${id}`, owner).ok()).toEqual(revoked);
    expect(await membersOf(orgId)).toHaveLength(2);
    await accept(await api.person(), { token }).refused(404, "invitation.not_found");
  });
});

describe("an invitation that cannot be used", () => {
  /** Ways for an invitation to be of no use to Ada. */
  const toAda = () => invite(hive.owner, hive.orgId, { email: ada.email });
  /** Ways for an invitation to be of no use to Ada: what is made, and what happens to it. */
  const REASONS: Readonly<Record<string, () => Promise<{ token: string; id: string }>>> = {
    unknown: async () => ({ token: "unknown", id: randomUUID() }),
    revoked: () => made(toAda(), ({ id }) => api.delete(`${hive.path}/${id}`, hive.owner).ok()),
    expired: () => made(toAda(), ({ id }) => expire(id)),
    "used up": () =>
      made(invite(hive.owner, hive.orgId), async ({ token }) => accept(await api.person(), { token }).created()),
    "for another address": () => invite(hive.owner, hive.orgId, { email: newAddress() }),
    "of an organization that is gone": () =>
      made(toAda(), () => api.delete(`/api/organizations/${hive.orgId}`, hive.owner).ok()),
    "of someone the person blocked": () => made(toAda(), () => block(ada, hive.owner)),
    "of someone who blocked the person": () => made(invite(hive.owner, hive.orgId), () => block(hive.owner, ada)),
  };
  async function made<Created>(creating: Promise<Created>, change: (created: Created) => Promise<unknown>) {
    const created = await creating;
    await change(created);
    return created;
  }

  it.each(Object.keys(REASONS))("is the same 404 if it is %s, whatever is asked", async (reason) => {
    const { token, id } = (await REASONS[reason]?.()) ?? { token: "", id: "" };
    const missing = await accept(ada, { token: "missing" }).refused(404, "invitation.not_found");
    expect(await accept(ada, { token }).refused(404)).toEqual(missing);
    expect(await accept(ada, { invitation_id: id }).refused(404)).toEqual(missing);
    expect(await api.post("/api/invitations/preview", ada, { token }).refused(404)).toEqual(missing);
    expect(await api.post("/api/invitations/decline", ada, { invitation_id: id }).refused(404)).toEqual(missing);
    expect(await received(ada)).toEqual([]);
    expect(await membersOf(hive.orgId)).not.toContainEqual({ user_id: ada.id });
  });

  it("is refused before anything is locked, like an unknown one", async () => {
    const { token } = await invite(hive.owner, hive.orgId, { email: ada.email });
    await block(ada, hive.owner);
    await api.inTransaction(async ({ query }) => {
      await query`select from nectar.invitations for update`;
      await query`select from nectar.organizations for update`;
      // Neither waits for a lock.
      for (const one of [token, "missing"]) await accept(ada, { token: one }).refused(404, "invitation.not_found");
    });
  });
});
