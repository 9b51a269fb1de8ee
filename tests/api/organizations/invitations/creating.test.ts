import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { invitationsOf, newAddress } from "./inviting.ts";

const APP_URL = "https://app.nectar.test";
const api = useApi({ environment: { APP_URL } });
const { found, invite, accept, received, newTeam, list, expire } = invitationsOf(api);
const hive = beforeEachTest(found);
const stranger = beforeTests(() => api.person());
const HOUR_MS = 3_600_000;

describe("an invitation", () => {
  it("by link is for one person and a week by default, and has a url of the app", async () => {
    const { owner, orgId } = hive;
    const created = await invite(owner, orgId);
    const { token, url, ...listed } = created;
    expect(created).toMatchObject({
      org_id: orgId,
      kind: "link",
      email: null,
      email_status: null,
      role: "member",
      team_ids: [],
      max_uses: 1,
      uses: 0,
      status: "pending",
      invited_by: { id: owner.id, is_ai: false },
    });
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(168 * HOUR_MS);
    expect(url).toBe(`${APP_URL}/invitations/${token}`);
    expect(await list(owner, orgId)).toEqual([listed]);
  });

  it("has a token of 256 random bits, of which only a SHA-256 is stored", async () => {
    const { owner, orgId, path } = hive;
    const key = { "idempotency-key": randomUUID() };
    const { invitation } = await api.post(path, owner, { max_uses: 2 }, key).created();
    const token = invitation.token ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await invite(owner, orgId)).token).not.toBe(token);
    const hash = createHash("sha256").update(token).digest("hex");
    expect(
      await api.query`select encode(token_hash, 'hex') as hash from nectar.invitations where id = ${invitation.id}`,
    ).toEqual([{ hash }]);
    expect(await api.query`select from private.idempotency_keys where body like '%' || ${token} || '%'`).toEqual([]);
    expect(api.logged()).not.toContain(token);
  });

  it("has the given role, teams, uses and hours", async () => {
    const { owner, orgId } = hive;
    const team = await newTeam(owner, orgId);
    const fields = { role: "admin", max_uses: 500 };
    const created = await invite(owner, orgId, { ...fields, team_ids: [team, team], expires_in_hours: 720 });
    expect(created).toMatchObject({ ...fields, team_ids: [team] });
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(720 * HOUR_MS);
  });

  it.each([
    [{ email: "a@example.test", max_uses: 2 }, "max_uses"],
    [{ role: "owner" }, "role"],
  ])("is refused with %j", async (body, field) => {
    await api.post(hive.path, hive.owner, body).invalid(field);
  });

  it("is refused for a team that does not exist or belongs to another organization", async () => {
    const other = await found();
    for (const team of [randomUUID(), await newTeam(other.owner, other.orgId)]) {
      await api.post(hive.path, hive.owner, { team_ids: [team] }).refused(400, "invitation.unknown_team");
    }
  });

  it("is for the owner and super admins to create, list and revoke", async () => {
    const { owner, orgId, path } = hive;
    const [admin, root] = [await api.person(), await api.person({ role: "super_admin" })];
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: admin.id, role: "admin" }).created();
    const { id } = await invite(owner, orgId);
    for (const [person, code] of [
      [admin, "organization.not_the_owner"],
      [stranger, "organization.not_a_reader"],
    ] as const) {
      await api.post(path, person, {}).refused(403, code);
      await api.get(path, person).refused(403, code);
      await api.delete(`${path}/${id}`, person).refused(403, code);
    }
    expect(await invite(root, orgId)).toMatchObject({ invited_by: { id: root.id } });
    expect(await list(root, orgId)).toHaveLength(2);
    await api.delete(`${path}/${id}`, root).ok();
  });

  it("is 404 in an organization that does not exist, and for the id of another organization", async () => {
    const [other, { id }] = [await found(), await invite(hive.owner, hive.orgId)];
    await api.post(`/api/organizations/${randomUUID()}/invitations`, stranger, {}).refused(404);
    await api.delete(`${other.path}/${id}`, other.owner).refused(404, "invitation.not_found");
  });
});

describe("an invitation by address", () => {
  it("is refused for the owner's address and for one by which someone joined, in any case", async () => {
    const { owner, orgId, path } = hive;
    const member = await api.person();
    const { token } = await invite(owner, orgId, { email: member.email });
    await accept(member, { token }).created();
    for (const email of [member.email.toUpperCase(), owner.email]) {
      await api.post(path, owner, { email }).refused(409, "organization.already_a_member");
    }
    await api.delete(`/api/organizations/${orgId}/members/${member.id}`, member).ok();
    await api.post(path, owner, { email: member.email }).created();
  });

  it("does not tell the owner which member has an address", async () => {
    const { owner, orgId, path } = hive;
    const [member, nobody] = [await api.person(), newAddress()];
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: member.id }).created();
    for (let round = 0; round < 2; round += 1) {
      const [one, other] = [
        await invite(owner, orgId, { email: member.email }),
        await invite(owner, orgId, { email: nobody }),
      ];
      expect(one).toMatchObject({ email_status: other.email_status, status: other.status, uses: other.uses });
      await accept(member, { token: one.token }).ok();
    }
    await api.post(path, owner, { email: member.email }).created();
    expect(await received(member)).toEqual([]);
    const { notifications } = await api.get("/api/notifications", member).ok();
    expect(notifications.map(({ type }) => type)).toEqual(["member_added"]);
  });

  it("replaces a pending one of the same address, whose token is dead", async () => {
    const { owner, orgId } = hive;
    const ada = await api.person();
    const first = await invite(owner, orgId, { email: ada.email });
    const second = await invite(owner, orgId, { email: ada.email.toUpperCase() });
    expect((await list(owner, orgId)).map(({ id, status }) => [id, status])).toEqual([
      [second.id, "pending"],
      [first.id, "revoked"],
    ]);
    await api.post("/api/invitations/preview", ada, { token: first.token }).refused(404, "invitation.not_found");
    await api.post("/api/invitations/preview", ada, { token: second.token }).ok();
  });

  it("is created 20 times a day for an organization, then 429 with Retry-After; links are not counted", async () => {
    const { owner, orgId, path } = hive;
    const { id } = await invite(owner, orgId, { email: newAddress() });
    const last = newAddress();
    // In the future, so that this day does not end meanwhile.
    await api.query`insert into nectar.invitations
      (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at, created_at)
      select org_id, invited_by, sha256(n::text::bytea || id::text::bytea), n || '@example.test', 'sent', role, '{}', 1,
        expires_at, now() + interval '3 days'
      from nectar.invitations, generate_series(1, 19) n where id = ${id}`;
    await api.query`delete from nectar.invitations where id = ${id}`;
    const twentieth = await invite(owner, orgId, { email: last });
    await api.query`update nectar.invitations set created_at = created_at + interval '3 days'
      where id = ${twentieth.id}`;
    const response = await api.post(path, owner, { email: newAddress() });
    expect([response.status, response.body.code]).toEqual([429, "quota.exhausted"]);
    const retryAfter = Number(response.headers.get("retry-after"));
    expect(retryAfter > 0 && retryAfter <= 24 * 3_600, `${retryAfter}`).toBe(true);
    await invite(owner, orgId);
    const other = await found();
    await invite(other.owner, other.orgId, { email: last });
  });

  it("is created 20 times a day by a person, over all their organizations; links are not counted", async () => {
    const { owner, path } = hive;
    const { organization } = await api.post("/api/organizations", owner, { name: "Second hive" }).created();
    const second = `/api/organizations/${organization.id}/invitations` as const;
    await leaveQuota(api.adminUrl, owner, "invitation", 2);
    await api.post(path, owner, { email: newAddress() }).created();
    await api.post(second, owner, { email: newAddress() }).created();
    for (const to of [path, second]) await api.post(to, owner, { email: newAddress() }).refused(429, "quota.exhausted");
    await api.post(second, owner, {}).created();
  });

  it("leaves one unread notification per inviter, about the newest invitation", async () => {
    const [ada, other] = [await api.person(), await found()];
    const { organization } = await api.post("/api/organizations", hive.owner, { name: "Second hive" }).created();
    const unread = async () =>
      (await api.get("/api/notifications?unread=true", ada).ok()).notifications.map(({ data }) => data.invitation_id);
    await invite(hive.owner, hive.orgId, { email: ada.email });
    const second = await invite(hive.owner, organization.id, { email: ada.email });
    expect(await unread()).toEqual([second.id]);
    const third = await invite(other.owner, other.orgId, { email: ada.email });
    expect(await unread()).toEqual([third.id, second.id]);
    await api.post("/api/notifications/read-all", ada).ok();
    const fourth = await invite(hive.owner, hive.orgId, { email: ada.email });
    expect(await unread()).toEqual([fourth.id]);
  });

  it("at the same time in two organizations leaves one unread notification", async () => {
    const ada = await api.person();
    const { organization } = await api.post("/api/organizations", hive.owner, { name: "Second hive" }).created();
    await Promise.all([hive.orgId, organization.id].map((id) => invite(hive.owner, id, { email: ada.email })));
    expect((await api.get("/api/notifications", ada).ok()).notifications).toHaveLength(1);
  });

  it("notifies the person who has and confirmed the address, without the name of the organization", async () => {
    const { owner, orgId } = hive;
    const [ada, unconfirmed] = [await api.person(), await api.person({ confirmed: false })];
    const { id } = await invite(owner, orgId, { email: ada.email.toUpperCase() });
    await invite(owner, orgId, { email: unconfirmed.email });
    const notificationsOf = async (as: Person) => (await api.get("/api/notifications", as).ok()).notifications;
    const data = { invitation_id: id, org_id: orgId, invited_by: owner.id };
    const notifications = await notificationsOf(ada);
    expect(notifications).toMatchObject([{ type: "invitation", data }]);
    expect(JSON.stringify(notifications)).not.toContain("Hive");
    expect(await notificationsOf(unconfirmed)).toEqual([]);
  });
});

it("the list of an organization's invitations is filtered by status", async () => {
  const { owner, orgId, path } = hive;
  const [pending, revoked] = [await invite(owner, orgId), await invite(owner, orgId)];
  const [accepted, expired] = [await invite(owner, orgId), await invite(owner, orgId)];
  await api.delete(`${path}/${revoked.id}`, owner).ok();
  await accept(stranger, { token: accepted.token }).created();
  await expire(expired.id);
  for (const [status, { id }] of Object.entries({ pending, revoked, accepted, expired })) {
    const { invitations } = await api.get(`${path}?status=${status}`, owner).ok();
    expect.soft(invitations.map((invitation) => [invitation.id, invitation.status])).toEqual([[id, status]]);
  }
  await api.get(`${path}?status=lost`, owner).invalid("status");
});
