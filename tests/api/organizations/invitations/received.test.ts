import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { invitationsOf } from "./inviting.ts";

const api = useApi();
const { found, invite, accept, list, received, expire } = invitationsOf(api);
const hive = beforeEachTest(found);
const ada = beforeEachTest(() => api.person());

describe("the invitations to one's address", () => {
  it("show the organization with its number of members, the role, the inviter and the end, newest first", async () => {
    const [{ owner, orgId }, other] = [hive, await found()];
    const first = await invite(owner, orgId, { email: ada.email.toUpperCase(), role: "admin" });
    const second = await invite(other.owner, other.orgId, { email: ada.email });
    expect(await received(ada)).toEqual([
      expect.objectContaining({ id: second.id }),
      {
        id: first.id,
        organization: { id: orgId, name: "Hive", member_count: 1 },
        role: "admin",
        invited_by: first.invited_by,
        expires_at: first.expires_at,
        created_at: first.created_at,
      },
    ]);
  });

  it("are previewed by their token with the same fields, without the id", async () => {
    const { token, id } = await invite(hive.owner, hive.orgId, { email: ada.email });
    const [listed] = await received(ada);
    const { invitation } = await api.post("/api/invitations/preview", ada, { token }).ok();
    expect({ id, ...invitation }).toEqual(listed);
  });

  it("do not contain those that ended, links, and those of organizations that one is in", async () => {
    const { owner, orgId } = hive;
    const [link, expired] = [await invite(owner, orgId), await invite(owner, orgId, { email: ada.email })];
    await expire(expired.id);
    expect(await received(ada)).toEqual([]);
    await invite(owner, orgId, { email: ada.email });
    expect(await received(ada)).toHaveLength(1);
    await accept(ada, { token: link.token }).created();
    expect(await received(ada)).toEqual([]);
  });

  it("belong to the confirmed address only", async () => {
    const { id, token } = await invite(hive.owner, hive.orgId, { email: ada.email });
    await api.query`update auth.users set email_confirmed_at = null where id = ${ada.id}`;
    expect(await received(ada)).toEqual([]);
    await accept(ada, { token }).refused(404, "invitation.not_found");
    await accept(ada, { invitation_id: id }).refused(404, "invitation.not_found");
    await api.query`update auth.users set email_confirmed_at = now() where id = ${ada.id}`;
    await accept(ada, { invitation_id: id }).created();
  });

  it("do not contain an id of a link, which is accepted by its token only", async () => {
    const { id, token } = await invite(hive.owner, hive.orgId);
    await accept(ada, { invitation_id: id }).refused(404, "invitation.not_found");
    await api.post("/api/invitations/decline", ada, { invitation_id: id }).refused(404, "invitation.not_found");
    await accept(ada, { token }).created();
  });

  it("can be declined once, and the owner sees it revoked", async () => {
    const { id } = await invite(hive.owner, hive.orgId, { email: ada.email });
    await api.post("/api/invitations/decline", await api.person(), { invitation_id: id }).refused(404);
    await api.post("/api/invitations/decline", ada, { invitation_id: id }).ok();
    expect(await received(ada)).toEqual([]);
    expect(await list(hive.owner, hive.orgId)).toMatchObject([{ id, status: "revoked" }]);
    await api.post("/api/invitations/decline", ada, { invitation_id: id }).refused(404, "invitation.not_found");
  });

  it("are deleted with the account that has the address, if it was confirmed, and with the organization", async () => {
    const { owner, orgId } = hive;
    const imposter = await api.person({ confirmed: false });
    const kept = await invite(owner, orgId, { email: imposter.email });
    const gone = await invite(owner, orgId, { email: ada.email.toUpperCase() });
    await api.query`delete from auth.users where id = any (${[ada.id, imposter.id]})`;
    expect((await list(owner, orgId)).map(({ id }) => id)).toEqual([kept.id]);
    await accept(await api.person(), { token: gone.token }).refused(404, "invitation.not_found");
    await api.query`delete from auth.users where id = ${owner.id}`;
    expect(await api.query`select from nectar.invitations where org_id = ${orgId}`).toEqual([]);
  });
});

describe("the invitations of a person whose account is deleted", () => {
  const statuses = async (owner: Person) =>
    (await list(owner, hive.orgId)).map(({ id, status, invited_by }) => ({ id, status, by: invited_by.id }));

  it("are the owner's and stay valid if they are pending, and are deleted if they have ended", async () => {
    const { owner, orgId } = hive;
    const inviter = await api.person({ role: "super_admin" });
    const [toAda, link, used, expired, revoked] = await Promise.all([
      invite(inviter, orgId, { email: ada.email }),
      invite(inviter, orgId),
      invite(inviter, orgId),
      invite(inviter, orgId),
      invite(inviter, orgId),
    ]);
    await accept(await api.person(), { token: used.token }).created();
    await expire(expired.id);
    await api.delete(`${hive.path}/${revoked.id}`, owner).ok();
    await api.query`delete from auth.users where id = ${inviter.id}`;
    const left = [toAda, link].map(({ id }) => ({ id, status: "pending", by: owner.id }));
    expect(await statuses(owner)).toEqual(expect.arrayContaining(left));
    expect(await statuses(owner)).toHaveLength(left.length);
    expect(await received(ada)).toMatchObject([{ id: toAda.id, invited_by: { id: owner.id } }]);
    await accept(ada, { invitation_id: toAda.id }).created();
    await accept(await api.person(), { token: link.token }).created();
  });

  it("go to the one who owns the organization from then on", async () => {
    const { owner, orgId } = hive;
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: ada.id }).created();
    const { id } = await invite(owner, orgId);
    await api.query`delete from auth.users where id = ${owner.id}`;
    expect(await statuses(ada)).toEqual([{ id, status: "pending", by: ada.id }]);
  });
});

describe("stored responses", () => {
  const storedWith = (words: string) =>
    api.query`select from private.idempotency_keys where body like '%' || ${words} || '%'`;

  it("of a created, a previewed and an accepted invitation are deleted with the organization", async () => {
    const { owner, orgId, path } = hive;
    const name = randomUUID();
    await api.put(`/api/organizations/${orgId}`, owner, { name }).ok();
    const key = () => ({ "idempotency-key": randomUUID() });
    const { invitation } = await api.post(path, owner, { max_uses: 2 }, key()).created();
    const { token } = invitation;
    await api.post("/api/invitations/preview", ada, { token }, key()).ok();
    await api.post("/api/invitations/accept", ada, { token }, key()).created();
    expect([await storedWith(name), await storedWith(invitation.id)].map((rows) => rows.length)).toEqual([2, 1]);
    await api.delete(`/api/organizations/${orgId}`, owner).ok();
    expect([await storedWith(name), await storedWith(invitation.id)]).toEqual([[], []]);
  });

  it("of a previewed invitation is deleted with the account of the inviter", async () => {
    const fullName = randomUUID();
    const inviter = await api.person({ role: "super_admin", fullName });
    const { token } = await invite(inviter, hive.orgId);
    await api.post("/api/invitations/preview", ada, { token }, { "idempotency-key": randomUUID() }).ok();
    expect(await storedWith(fullName)).toHaveLength(1);
    await api.query`delete from auth.users where id = ${inviter.id}`;
    expect(await storedWith(fullName)).toEqual([]);
  });
});
