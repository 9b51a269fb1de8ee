import type pg from "pg";
import { momentOf } from "./moment-sql.ts";
import { organizationMemberRows, organizationRows, teamMemberRows, teamRows } from "./rows.ts";

/** Writes organizations, teams and memberships of the people in demo_people. */
export async function writeGroups(client: pg.Client): Promise<void> {
  await client.query(
    `insert into nectar.organizations (id, name, description, owner_id, created_at, updated_at)
     select r.id, r.name, r.description, p.id, ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, name text, description text, person text, days_ago int, at time)
     join demo_people p using (person)`,
    [JSON.stringify(organizationRows())],
  );
  // Triggers have enrolled owners and primary admins already, as of now.
  await client.query(
    `insert into nectar.organization_members (org_id, user_id, role, joined_at, acted_at)
     select r.group_id, p.id, r.role, ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (group_id uuid, person text, role nectar.member_role, days_ago int, at time)
     join demo_people p using (person)
     on conflict (org_id, user_id) do update set joined_at = excluded.joined_at, acted_at = excluded.acted_at`,
    [JSON.stringify(organizationMemberRows())],
  );
  await client.query(
    `insert into nectar.teams (id, org_id, name, description, admin_id, created_at, updated_at)
     select r.id, r.org_id, r.name, r.description, p.id, ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, org_id uuid, name text, description text, person text, days_ago int, at time)
     join demo_people p using (person)`,
    [JSON.stringify(teamRows())],
  );
  await client.query(
    `insert into nectar.team_members (team_id, org_id, user_id, role, joined_at)
     select r.group_id, t.org_id, p.id, r.role, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (group_id uuid, person text, role nectar.member_role, days_ago int, at time)
     join nectar.teams t on t.id = r.group_id
     join demo_people p using (person)
     on conflict (team_id, user_id) do update set joined_at = excluded.joined_at`,
    [JSON.stringify(teamMemberRows())],
  );
}
