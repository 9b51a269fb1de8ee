import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { type Person, tokenFor } from "#tests/people";

const api = useApi();
const ACCOUNT = "/api/user/account";
const CONFIRMED = { confirm: "DELETE" };
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

const readErasure = (person: Person) => api.get(`${ACCOUNT}/erasure`, person).ok();
const close = (person: Person) => api.send("DELETE", ACCOUNT, { as: person, body: CONFIRMED });

describe("requesting an erasure", () => {
  it("schedules it in 7 days, and changes nothing when it is repeated", async () => {
    const person = await api.person();
    const { erasure } = await close(person).ok();
    expect(Date.parse(erasure.erases_at) - Date.parse(erasure.requested_at)).toBe(WEEK_MS);
    api.at(new Date(Date.now() + 60_000));
    expect(await close(person).ok()).toEqual({ erasure });
    expect((await readErasure(person)).scheduled).toEqual(erasure);
  });

  it("needs the word DELETE", async () => {
    const person = await api.person();
    await api.send("DELETE", ACCOUNT, { as: person, body: { confirm: "delete" } }).invalid("confirm");
    expect((await readErasure(person)).scheduled).toBeNull();
  });

  it("is possible for suspended people", async () => {
    const person = await api.person();
    await api.query`select private.suspend_user(${person.id}, '2999-01-01T00:00Z')`;
    await close(person).ok();
    await api.post(`${ACCOUNT}/restore`, person).ok();
  });

  it("is refused to the owner of organizations with other members, which it names", async () => {
    const [owner, member] = [await api.person(), await api.person()];
    const { orgId } = await foundTeam(api, owner, [member]);
    const { organization } = await api.get(`/api/organizations/${orgId}`, owner).ok();
    const { issues } = await close(owner).refused(409, "account.owns_organizations");
    expect(issues).toEqual([{ path: orgId, message: organization.name }]);
    await api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: member.id }).ok();
    await close(owner).ok();
  });

  it("cannot be prevented by someone who makes the person an owner afterwards", async () => {
    const [owner, member] = [await api.person(), await api.person()];
    const { orgId } = await foundTeam(api, owner, [member]);
    const first = await close(member).ok();
    await api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: member.id }).ok();
    expect(await close(member).ok()).toEqual(first);
  });

  it("is refused to the last super admin whose account is not closing", async () => {
    const [first, last] = [await api.person({ role: "super_admin" }), await api.person({ role: "super_admin" })];
    await api.query`delete from nectar.user_roles where user_id not in (${first.id}, ${last.id})`;
    await close(first).ok();
    await close(last).refused(409, "admin.last_super_admin");
    await api.put(`/api/admin/users/${last.id}/role`, last, { role: "user" }).refused(409, "admin.last_super_admin");
    await api.post(`${ACCOUNT}/restore`, first).ok();
    await close(last).ok();
  });

  it("leaves one super admin when the last two request it at once", async () => {
    const [one, other] = [await api.person({ role: "super_admin" }), await api.person({ role: "super_admin" })];
    await api.query`delete from nectar.user_roles where user_id not in (${one.id}, ${other.id})`;
    const statuses = (await Promise.all([close(one), close(other)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });
});

describe("erasing now", () => {
  const now = (as: Person) => api.send("DELETE", ACCOUNT, { as, body: { ...CONFIRMED, when: "now" } });
  const issuedAgo = async (person: Person, minutes: number) => {
    const iat = Math.floor(Date.now() / 1000) - minutes * 60;
    return { ...person, token: await tokenFor({ sub: person.id, email: person.email }, { issuedAt: iat }) };
  };

  it("needs a token that was issued at most 10 minutes ago", async () => {
    const person = await api.person();
    await now(await issuedAgo(person, 11)).refused(401, "auth.sign_in_again");
    expect((await readErasure(person)).scheduled).toBeNull();
    await now(await issuedAgo(person, 9)).ok();
  });

  it("keeps the time of the first request of a closing account", async () => {
    const person = await api.person();
    const first = await close(person).ok();
    const { erasure } = await now(person).ok();
    expect(erasure.requested_at).toBe(first.erasure.requested_at);
    expect(Date.parse(erasure.erases_at)).toBeLessThan(Date.parse(first.erasure.erases_at));
  });

  it("erases the account in the background", async () => {
    const person = await api.person();
    await now(person).ok();
    await api.idle();
    await api.get("/api/user/profile", person).refused(401, "auth.unknown_account");
    expect(await api.query`select from auth.users where id = ${person.id}`).toEqual([]);
  });
});

describe("restoring an account", () => {
  it("opens it again, and changes nothing when it is repeated", async () => {
    const person = await api.person();
    await close(person).ok();
    await api.post("/api/journal", person, { title: "Late", content: "Too late" }).refused(403, "account.closing");
    for (let n = 0; n < 2; n += 1) await api.post(`${ACCOUNT}/restore`, person).ok();
    expect((await readErasure(person)).scheduled).toBeNull();
    await api.post("/api/journal", person, { title: "Back", content: "Again" }).created();
  });

  it("is refused once the erasure has begun", async () => {
    const person = await api.person();
    await close(person).ok();
    await api.query`select private.start_erasure(${person.id}, now() + interval '8 days')`;
    await api.post(`${ACCOUNT}/restore`, person).refused(409, "account.being_erased");
  });
});

describe("the preview", () => {
  it("says what erasing would do", async () => {
    const [person, member] = [await api.person(), await api.person()];
    await api.post("/api/journal", person, { title: "One", content: "Text" }).created();
    const alone = (await api.post("/api/organizations", person, { name: "Alone" }).created()).organization;
    const together = (await api.post("/api/organizations", person, { name: "Together" }).created()).organization;
    await api.post(`/api/organizations/${together.id}/members`, person, { user_id: member.id }).created();
    await api.post("/api/teams", person, { name: "Team", org_id: together.id }).created();
    await api.post("/api/teams", person, { name: "Goes too", org_id: alone.id }).created();
    const { preview, scheduled } = await readErasure(person);
    expect(scheduled).toBeNull();
    expect(preview).toEqual({
      entries: 1,
      drops_balance: 50,
      subscription_active: false,
      tone_packs_with_buyers: 0,
      organizations_to_transfer: [{ id: together.id, name: "Together" }],
      organizations_handed_back: [],
      organizations_removed: [{ id: alone.id, name: "Alone" }],
      teams_handed_over: 1,
      kept: expect.arrayContaining([expect.any(String)]),
    });
  });

  it.each([
    ["active", true],
    ["trialing", true],
    ["past_due", true],
    ["incomplete", true],
    ["canceled", false],
    ["incomplete_expired", false],
  ])("says whether a subscription that is %s will be cancelled, as the erasure does", async (status, isCancelled) => {
    const person = await api.person();
    const id = `sub_${person.id}`;
    await api.query`
      insert into nectar.subscriptions
        (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
      values (${person.id}, 'cus_1', ${id}, ${status}, now(), 2, ${`evt_${person.id}`})`;
    expect((await readErasure(person)).preview.subscription_active).toBe(isCancelled);
    await close(person).ok();
    const { cancelled } = await api.one`
      select private.start_erasure(${person.id}, now() + interval '8 days') as cancelled`;
    expect(cancelled).toEqual(isCancelled ? [id] : []);
  });
});
