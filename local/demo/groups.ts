import { type Members, organizations, teams } from "./data.ts";
import { idOf, localMoment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

/** Writes organizations, teams and their memberships. */
export async function writeGroups(past: Past): Promise<void> {
  const { client } = past;
  await insertRows(client, "nectar.organizations", Object.entries(organizations), ([key, organization]) => ({
    id: organizationId(key),
    name: organization.name,
    description: organization.description,
    owner_id: idOf(past, organization.owner),
    ...written(localMoment(past, organization.owner, organization.createdDaysAgo, timeOfDay("09:30", key, 30))),
  }));
  // Triggers have enrolled owners and primary admins already, as of now.
  await insertRows(
    client,
    "nectar.organization_members",
    Object.entries(organizations),
    ([key, { members }]) =>
      memberRows(past, organizationId(key), members, "10:00").map((member) => ({
        org_id: organizationId(key),
        ...member,
        acted_at: member.joined_at,
      })),
    "on conflict (org_id, user_id) do update set joined_at = excluded.joined_at, acted_at = excluded.acted_at",
  );
  await insertRows(client, "nectar.teams", Object.entries(teams), ([key, team]) => ({
    id: teamId(key),
    org_id: organizationId(team.organization),
    name: team.name,
    description: team.description,
    admin_id: idOf(past, team.admin),
    ...written(localMoment(past, team.admin, team.createdDaysAgo, timeOfDay("10:30", key, 30))),
  }));
  await insertRows(
    client,
    "nectar.team_members",
    Object.entries(teams),
    ([key, { organization, members }]) =>
      memberRows(past, teamId(key), members, "11:00").map((member) => ({
        team_id: teamId(key),
        org_id: organizationId(organization),
        ...member,
      })),
    "on conflict (team_id, user_id) do update set joined_at = excluded.joined_at",
  );
}

/** The id of an organization by its short name. */
export function organizationId(key: string): string {
  return stableId(`organization ${key}`);
}

/** The id of a team by its short name. */
export function teamId(key: string): string {
  return stableId(`team ${key}`);
}

function memberRows(past: Past, groupId: string, members: Members, from: string) {
  return Object.entries(members).map(([person, { role, joinedDaysAgo }]) => ({
    user_id: idOf(past, person),
    role,
    joined_at: localMoment(past, person, joinedDaysAgo, timeOfDay(from, `${groupId} ${person}`, 30)),
  }));
}
