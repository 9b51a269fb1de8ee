import { groups } from "./data.ts";
import type { Past } from "./past.ts";
import { stableId } from "./rows.ts";
import { writeTables } from "./tables.ts";

/** Writes organizations, teams and their members. Owners and primary admins, whom triggers enroll, are members from the start. */
export async function writeGroups(past: Past): Promise<void> {
  await writeTables(past, groups);
  for (const update of [
    `nectar.organization_members m set joined_at = o.created_at
     from nectar.organizations o where o.id = m.org_id and o.owner_id = m.user_id`,
    `nectar.team_members m set joined_at = t.created_at
     from nectar.teams t where t.id = m.team_id and t.admin_id = m.user_id`,
    "nectar.organization_members set acted_at = joined_at",
  ]) {
    await past.client.query(`update ${update}`);
  }
}

/** The id of an organization by its short name. */
export function organizationId(key: string): string {
  return stableId(`organization ${key}`);
}

/** The id of a team by its short name. */
export function teamId(key: string): string {
  return stableId(`team ${key}`);
}
