import type { TestApi } from "./api.ts";
import type { Person } from "./people.ts";

/** An organization with one team and the people in them. */
export interface Scene {
  readonly orgId: string;
  readonly teamId: string;
}

/** Lets a person found an organization with a team, and brings others into both. */
export async function foundTeam(api: TestApi, owner: Person, members: readonly Person[] = []): Promise<Scene> {
  const orgId: string = (await api.post("/api/organizations", owner, { name: "Hive" })).body.organization.id;
  const teamId: string = (await api.post("/api/teams", owner, { name: "Comb", org_id: orgId })).body.team.id;
  for (const member of members) {
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: member.id });
    await api.post(`/api/teams/${teamId}/members`, owner, { user_id: member.id });
  }
  return { orgId, teamId };
}

/** Writes an entry and returns it as its author sees it. */
export async function write(api: TestApi, author: Person, fields: Record<string, unknown> = {}) {
  const { status, body } = await api.post("/api/journal", author, { title: "Title", content: "Content", ...fields });
  if (status !== 201) throw new Error(`The entry was not written: ${JSON.stringify(body)}`);
  return body.entry;
}
