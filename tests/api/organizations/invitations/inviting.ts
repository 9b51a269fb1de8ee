import { randomUUID } from "node:crypto";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

/** An organization of a new owner, and requests about its invitations. */
export function invitationsOf(api: TestApi) {
  return {
    async found() {
      const owner = await api.person();
      const { organization } = await api.post("/api/organizations", owner, { name: "Hive" }).created();
      return { owner, orgId: organization.id, path: `/api/organizations/${organization.id}/invitations` as const };
    },

    async invite(owner: Person, orgId: string, body: object = {}) {
      const { invitation } = await api.post(`/api/organizations/${orgId}/invitations`, owner, body).created();
      const { token } = invitation;
      if (token === null) throw new Error("The invitation has no token.");
      return { ...invitation, token };
    },

    accept: (as: Person, body: { token: string } | { invitation_id: string }) =>
      api.post("/api/invitations/accept", as, body),

    async newTeam(owner: Person, orgId: string): Promise<string> {
      return (await api.post("/api/teams", owner, { name: "Comb", org_id: orgId }).created()).team.id;
    },

    list: async (owner: Person, orgId: string) =>
      (await api.get(`/api/organizations/${orgId}/invitations`, owner).ok()).invitations,

    received: async (person: Person) => (await api.get("/api/invitations", person).ok()).invitations,

    membersOf: (orgId: string) =>
      api.query<{ user_id: string }>`select user_id from nectar.organization_members where org_id = ${orgId}`,

    block: (one: Person, other: Person) =>
      api.query`insert into nectar.blocks (user_id, blocked_id) values (${one.id}, ${other.id})`,

    expire: (id: string) =>
      api.query`update nectar.invitations set expires_at = now() - interval '1 minute' where id = ${id}`,
  };
}

export const newAddress = () => `${randomUUID().slice(0, 8)}@example.test`;
