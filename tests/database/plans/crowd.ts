import type pg from "pg";
import { createCrowd } from "#tests/crowd";
import type { Filling } from "#tests/filled-database";

/** A database with many people's things in it, and one of the people. */
export interface Crowd {
  readonly reader: string;
  readonly organization: string;
  readonly team: string;
  readonly notebook: string;
}

/**
 * 20,000 entries of 2,000 people in 2,000 organizations with two teams each, and 8,000 notebooks and goals. Everyone is in three
 * organizations and teams; a sixth of the entries is public.
 */
export const CROWD: Filling = { name: "crowd", fill: gatherCrowd };

async function gatherCrowd(admin: pg.Client): Promise<void> {
  await createCrowd(admin, 2_000);
  await admin.query("begin");
  await admin.query(
    "create temp table people on commit drop as select id, row_number() over (order by id) as n from nectar.profiles",
  );
  await admin.query(
    `insert into nectar.organizations (name, owner_id, created_at)
     select 'Hive ' || n, id, now() - n * interval '1 hour' from people`,
  );
  await admin.query(
    `create temp table hives on commit drop as
     select id, owner_id, row_number() over (order by created_at) as n from nectar.organizations`,
  );
  await admin.query(
    `insert into nectar.organization_members (org_id, user_id)
     select h.id, p.id from people p cross join generate_series(0, 2) k join hives h on h.n = 1 + (p.n * 7 + k * 31) % 2000
     on conflict do nothing`,
  );
  await admin.query(
    `insert into nectar.teams (org_id, name, admin_id, created_at)
     select h.id, 'Comb ' || k, h.owner_id, now() - h.n * interval '1 hour' from hives h cross join generate_series(1, 2) k`,
  );
  await admin.query(
    `insert into nectar.team_members (team_id, org_id, user_id)
     select t.id, t.org_id, m.user_id from nectar.teams t join nectar.organization_members m on m.org_id = t.org_id
     where t.name = 'Comb 1' on conflict do nothing`,
  );
  await admin.query(
    `insert into nectar.notebooks (user_id, name, metadata_visibility, team_id, created_at)
     select p.id, 'Diary', (array['user', 'team', 'team', 'public'])[1 + (p.n + k) % 4]::nectar.visibility,
       (select m.team_id from nectar.team_members m where m.user_id = p.id limit 1), now() - p.n * interval '1 minute'
     from people p cross join generate_series(1, 4) k
     where exists (select from nectar.team_members m where m.user_id = p.id)`,
  );
  await admin.query(
    `insert into nectar.goals (user_id, title, status, metadata_visibility, team_id, created_at)
     select n.user_id, 'Run', case when random() < 0.01 then 'paused'::nectar.goal_status else 'active' end,
       n.metadata_visibility, n.team_id, n.created_at
     from nectar.notebooks n`,
  );
  await admin.query(
    `insert into nectar.journal_entries
       (user_id, notebook_id, title, metadata_visibility, content_visibility, team_id, tags, created_at, entry_date)
     select p.id, case when k % 4 = 0 then (select n.id from nectar.notebooks n where n.user_id = p.id limit 1) end,
       'Day ' || k, v.level, v.level, t.team_id, array['day'], w.at, (w.at at time zone 'UTC')::date
     from people p
     cross join generate_series(1, 10) k
     cross join lateral (select now() - (k * 2000 + p.n) * interval '1 minute' as at) w
     cross join lateral (select (array['user', 'user', 'user', 'team', 'team', 'public'])[1 + (p.n + k) % 6]::nectar.visibility as level) v
     left join lateral (select m.team_id from nectar.team_members m where m.user_id = p.id limit 1) t on true
     where v.level <> 'team' or t.team_id is not null`,
  );
  await admin.query(
    "insert into nectar.journal_entry_contents (entry_id, content) select id, 'What happened.' from nectar.journal_entries",
  );
  await admin.query("commit");
  await admin.query("vacuum analyze");
}

/** Chooses one of the people of the crowd, who is in a team and has a notebook. */
export async function readCrowd(admin: pg.Client): Promise<Crowd> {
  const { rows } = await admin.query<Crowd>(
    `select m.user_id as reader, m.org_id as organization, m.team_id as team, n.id as notebook
     from nectar.team_members m join nectar.notebooks n on n.user_id = m.user_id order by m.user_id limit 1`,
  );
  const [crowd] = rows;
  if (crowd === undefined) throw new Error(`No one is in a team with a notebook.`);
  return crowd;
}
