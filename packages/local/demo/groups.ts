import type pg from "pg";
import { type Members, organizations, teams } from "./data.ts";
import { stableId, timeOfDay, writeRows } from "./rows.ts";

/** Writes organizations, teams and their memberships. */
export async function writeGroups(client: pg.Client): Promise<void> {
  const groupColumns = "id uuid, org_id uuid, name text, description text";
  const memberColumns = "id uuid, role nectar.member_role";
  await writeRows(
    client,
    groupColumns,
    Object.entries(organizations).map(([key, { name, description, owner, createdDaysAgo }]) => ({
      id: organizationId(key),
      name,
      description,
      person: owner,
      days_ago: createdDaysAgo,
      at: timeOfDay("09:30", key, 30),
    })),
    `insert into nectar.organizations (id, name, description, owner_id, created_at, updated_at)
     select r.id, r.name, r.description, r.person_id, r.moment, r.moment from r`,
  );
  // Triggers have enrolled owners and primary admins already, as of now.
  await writeRows(
    client,
    memberColumns,
    Object.entries(organizations).flatMap(([key, { members }]) => memberRows(organizationId(key), members, "10:00")),
    `insert into nectar.organization_members (org_id, user_id, role, joined_at, acted_at)
     select r.id, r.person_id, r.role, r.moment, r.moment from r
     on conflict (org_id, user_id) do update set joined_at = excluded.joined_at, acted_at = excluded.acted_at`,
  );
  await writeRows(
    client,
    groupColumns,
    Object.entries(teams).map(([key, { organization, name, description, admin, createdDaysAgo }]) => ({
      id: teamId(key),
      org_id: organizationId(organization),
      name,
      description,
      person: admin,
      days_ago: createdDaysAgo,
      at: timeOfDay("10:30", key, 30),
    })),
    `insert into nectar.teams (id, org_id, name, description, admin_id, created_at, updated_at)
     select r.id, r.org_id, r.name, r.description, r.person_id, r.moment, r.moment from r`,
  );
  await writeRows(
    client,
    memberColumns,
    Object.entries(teams).flatMap(([key, { members }]) => memberRows(teamId(key), members, "11:00")),
    `insert into nectar.team_members (team_id, org_id, user_id, role, joined_at)
     select r.id, t.org_id, r.person_id, r.role, r.moment
     from r
     join nectar.teams t on t.id = r.id
     on conflict (team_id, user_id) do update set joined_at = excluded.joined_at`,
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

function memberRows(id: string, members: Members, from: string) {
  return Object.entries(members).flatMap(([person, member]) =>
    member === undefined
      ? []
      : {
          id,
          person,
          role: member.role,
          days_ago: member.joinedDaysAgo,
          at: timeOfDay(from, `${id} ${person}`, 30),
        },
  );
}
