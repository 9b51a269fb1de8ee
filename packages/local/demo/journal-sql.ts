import type pg from "pg";
import { momentOf } from "./moment-sql.ts";
import { entryRows, notebookRows } from "./rows.ts";

const sharing =
  "metadata_visibility nectar.visibility, content_visibility nectar.visibility, team_id uuid, org_id uuid";

/** Writes notebooks and entries of the people in demo_people; the database's triggers work out who sees them. */
export async function writeJournal(client: pg.Client): Promise<void> {
  await client.query(
    `insert into nectar.notebooks
       (id, user_id, name, description, metadata_visibility, content_visibility, team_id, org_id, created_at, updated_at)
     select r.id, p.id, r.name, r.description, r.metadata_visibility, r.content_visibility, r.team_id, r.org_id,
       ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, person text, name text, description text, ${sharing}, days_ago int, at time)
     join demo_people p using (person)`,
    [JSON.stringify(notebookRows())],
  );
  const entries = JSON.stringify(entryRows());
  await client.query(
    `insert into nectar.journal_entries
       (id, user_id, notebook_id, title, mood, tags, metadata_visibility, content_visibility,
        inherit_visibility, team_id, org_id, created_at, updated_at)
     select r.id, p.id, r.notebook_id, r.title, r.mood,
       r.tags, r.metadata_visibility, r.content_visibility, r.inherit, r.team_id, r.org_id, ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, person text, notebook_id uuid, title text, mood text, tags text[],
             ${sharing}, inherit boolean, days_ago int, at time)
     join demo_people p using (person)`,
    [entries],
  );
  await client.query(
    `insert into nectar.journal_entry_contents (entry_id, content, found_mood)
     select r.id, r.content, r.found_mood from jsonb_to_recordset($1::jsonb) as r (id uuid, content text, found_mood text)`,
    [entries],
  );
}
