import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { asSuperuser, type Person } from "#tests/people";

const api = useApi();

describe("signing up", () => {
  it("creates profile, account and exactly one signup bonus of 50 drops", async () => {
    const ada = await api.person({ fullName: "Ada" });
    expect(await ledgerOf(ada)).toEqual([{ type: "signup_bonus", amount: 50, balance_after: 50 }]);
    expect(await profileOf(ada)).toMatchObject({ full_name: "Ada", drops_balance: 50 });
  });

  it("does all of it in the transaction that creates the user, or none of it", async () => {
    const id = randomUUID();
    const counts = await asSuperuser(api.adminUrl, async (client) => {
      await client.query("begin");
      await client.query("insert into auth.users (id, email) values ($1, 'undone@example.test')", [id]);
      const inside = await client.query(RECORDS_OF, [id]);
      await client.query("rollback");
      const afterwards = await client.query(RECORDS_OF, [id]);
      return [inside.rows[0], afterwards.rows[0]];
    });
    expect(counts).toEqual([
      { profiles: 1, accounts: 1, transactions: 1 },
      { profiles: 0, accounts: 0, transactions: 0 },
    ]);
  });

  it("pays the bonus once, whatever happens to the user later", async () => {
    const ada = await api.person();
    await api.query`update auth.users set email = 'new@example.test', email_confirmed_at = now() where id = ${ada.id}`;
    await api.query`select private.post_drop_transaction(${ada.id}, 'signup_bonus', 50, 'signup_bonus', 'Again')`;
    expect(await ledgerOf(ada)).toHaveLength(1);
    expect((await profileOf(ada)).drops_balance).toBe(50);
  });

  it.each([
    ["without any", null, null],
    ["blank", { full_name: "   " }, null],
    ["too long", { full_name: "\u{1f41d}".repeat(300) }, "\u{1f41d}".repeat(100)],
    ["of another type", { full_name: 7 }, "7"],
  ])("succeeds with a name that is %s", async (_, metadata, name) => {
    expect((await profileOf(await personWith(metadata))).full_name).toBe(name);
  });

  it.each([
    ["https://example.test/a.png", "https://example.test/a.png"],
    ["javascript:alert(1)", null],
    [`https://example.test/${"x".repeat(3000)}`, null],
  ])("keeps a picture only if it is a web address (%#)", async (avatar_url, kept) => {
    expect((await profileOf(await personWith({ avatar_url }))).avatar_url).toBe(kept);
  });
});

describe("an account that is deleted before its token expires", () => {
  it("gets 401 also with an Idempotency-Key", async () => {
    const ghost = await api.person();
    await deleteAccount(ghost);
    await api.post("/api/organizations", ghost, { name: "Ghosts" }, { "idempotency-key": "ghost" }).refused(401);
  });

  it("loses its entries and memberships, and its teams go to the owner of the organization", async () => {
    const owner = await api.person();
    const ada = await api.person();
    const { orgId, teamId } = await foundTeam(api, owner, [ada]);
    const shared = { metadata_visibility: "org", content_visibility: "team", org_id: orgId, team_id: teamId };
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Shared", ...shared }).created();
    const entry = await write(api, ada, { notebook_id: notebook.id, ...shared });
    const { team } = await api.post("/api/teams", ada, { name: "Led", org_id: orgId }).created();
    await deleteAccount(ada);
    expect((await api.get(`/api/teams/${team.id}`, owner).ok()).team.admin_id).toBe(owner.id);
    expect((await api.get(`/api/organizations/${orgId}/members`, owner).ok()).members).toHaveLength(1);
    await api.get(`/api/journal/${entry.id}`, owner).refused(404);
    await api.get(`/api/organizations/${orgId}`, ada).refused(401);
  });
});

const RECORDS_OF = `
  select (select count(*)::int from nectar.profiles where id = $1) as profiles,
         (select count(*)::int from nectar.accounts where user_id = $1) as accounts,
         (select count(*)::int from nectar.drop_transactions where user_id = $1) as transactions`;

const profileOf = async (person: Person) => (await api.get("/api/user/profile", person).ok()).profile;
const ledgerOf = ({ id }: Person) =>
  api.query`select type, amount, balance_after from nectar.drop_transactions where user_id = ${id}`;

/** Signs up with metadata exactly as given. */
async function personWith(metadata: object | null): Promise<Person> {
  const person = await api.person();
  await deleteAccount(person);
  await api.query`insert into auth.users (id, email, raw_user_meta_data)
    values (${person.id}, ${person.email}, ${metadata})`;
  return person;
}

const deleteAccount = ({ id }: Person) => api.query`delete from auth.users where id = ${id}`;
