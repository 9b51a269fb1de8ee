import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { type Person, tokenFor } from "#tests/people";

const CHIEF = "Chief@Example.test";
const DEPUTY = "deputy@example.test";
const api = useApi({
  environment: {
    SUPER_ADMIN_EMAILS: `${CHIEF}, late@example.test,,gone@example.test,both@example.test,demoted@example.test,bare@example.test`,
    ADMIN_EMAILS: `${DEPUTY},both@example.test`,
  },
});

const roleOf = async (person: Person) => (await api.get("/api/user/profile", person)).body.profile.role;

describe("SUPER_ADMIN_EMAILS and ADMIN_EMAILS", () => {
  it("give the role to users who sign in with such an address in any case, and nothing to similar ones", async () => {
    for (const [email, role] of [
      ["cHIEF@example.TEST", "super_admin"],
      ["DEPUTY@EXAMPLE.TEST", "admin"],
      ["both@example.test", "super_admin"],
      ["chief@example.test.evil.test", "user"],
      ["xchief@example.test", "user"],
      ["chief@example.tes", "user"],
    ] as const) {
      expect(await roleOf(await api.person({ email })), email).toBe(role);
    }
  });

  it("give the rights of the role with the first request", async () => {
    const chief = await api.person({ email: "gone@example.test" });
    const stranger = await api.person();
    const { organization } = await api.post("/api/organizations", stranger, { name: "Theirs" }).created();
    expect((await api.get(`/api/organizations/${organization.id}`, chief).ok()).user_role).toBeNull();
  });

  it("give nothing while the address is not confirmed, and the role once it is", async () => {
    const late = await api.person({ email: "late@example.test", confirmed: false });
    expect(await roleOf(late)).toBe("user");
    expect(await roleOf(late)).toBe("user");
    await api.query`update auth.users set email_confirmed_at = now() where id = ${late.id}`;
    expect(await roleOf(late)).toBe("super_admin");
  });

  it("give nothing for an address that only the token has", async () => {
    const person = await api.person();
    const token = await tokenFor({ sub: person.id, email: CHIEF });
    expect(await roleOf({ ...person, token })).toBe("user");
  });

  it("do not fail for a user of Auth without a profile", async () => {
    const bare = await api.person({ email: "bare@example.test" });
    await api.query`delete from nectar.profiles where id = ${bare.id}`;
    for (const path of ["/api/user/profile", "/api/admin/users"]) {
      await api.get(path, bare).refused(401, "auth.unknown_account");
    }
  });

  it("do not overwrite a role that was changed later, or given before the first request", async () => {
    const demoted = await api.person({ email: "demoted@example.test" });
    expect(await roleOf(demoted)).toBe("super_admin");
    await api.query`update nectar.user_roles set role = 'user' where user_id = ${demoted.id}`;
    expect(await roleOf(demoted)).toBe("user");
    expect(await roleOf(await api.person({ email: "Deputy@Example.test", role: "super_admin" }))).toBe("super_admin");
  });
});
