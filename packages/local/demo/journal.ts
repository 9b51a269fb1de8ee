import type pg from "pg";
import { entries, notebooks, type Sharing } from "./data.ts";
import { organizationId, teamId } from "./groups.ts";
import { stableId, timeOfDay, writeRows } from "./rows.ts";

const SHARING_COLUMNS =
  "metadata_visibility nectar.visibility, content_visibility nectar.visibility, team_id uuid, org_id uuid";

/** Writes notebooks and entries; the database's triggers work out who sees them. */
export async function writeJournal(client: pg.Client): Promise<void> {
  await writeRows(
    client,
    `id uuid, name text, description text, ${SHARING_COLUMNS}`,
    Object.entries(notebooks).map(([key, { owner, name, description, createdDaysAgo, sharing }]) => ({
      id: notebookId(key),
      person: owner,
      name,
      description,
      ...sharingColumns(sharing),
      days_ago: createdDaysAgo,
      at: timeOfDay("12:00", key, 30),
    })),
    `insert into nectar.notebooks
       (id, user_id, name, description, metadata_visibility, content_visibility, team_id, org_id, created_at, updated_at)
     select r.id, r.person_id, r.name, r.description, r.metadata_visibility, r.content_visibility, r.team_id, r.org_id,
       r.moment, r.moment
     from r`,
  );
  const columns = `id uuid, notebook_id uuid, title text, content text, mood text, found_mood text, tags text[],
    inherit boolean, ${SHARING_COLUMNS}`;
  await writeRows(
    client,
    columns,
    entryRows(),
    `insert into nectar.journal_entries
       (id, user_id, notebook_id, title, mood, tags, metadata_visibility, content_visibility,
        inherit_visibility, team_id, org_id, created_at, updated_at)
     select r.id, r.person_id, r.notebook_id, r.title, r.mood, r.tags, r.metadata_visibility, r.content_visibility,
       r.inherit, r.team_id, r.org_id, r.moment, r.moment
     from r`,
  );
  await writeRows(
    client,
    columns,
    entryRows(),
    `insert into nectar.journal_entry_contents (entry_id, content, found_mood)
     select r.id, r.content, r.found_mood from r`,
  );
}

/** The entries as rows. */
export function entryRows() {
  return entries.map(({ person, title, text, mood = null, isMoodDetected, notebook, daysAgo, at, ...entry }) => ({
    id: entryId(person, title),
    person,
    notebook_id: notebook === undefined ? null : notebookId(notebook),
    title,
    content: text,
    mood: isMoodDetected ? null : mood,
    found_mood: isMoodDetected ? mood : null,
    tags: entry.tags,
    ...sharingColumns(entry.sharing),
    inherit: entry.inherit,
    days_ago: daysAgo,
    at: timeOfDay(at, title),
  }));
}

/** The id of an entry by its author and title. */
export function entryId(person: string, title: string): string {
  return stableId(`entry ${person} ${title}`);
}

function notebookId(key: string): string {
  return stableId(`notebook ${key}`);
}

function sharingColumns({ metadata, content, team, org }: Sharing) {
  return {
    metadata_visibility: metadata,
    content_visibility: content,
    team_id: team === undefined ? null : teamId(team),
    org_id: org === undefined ? null : organizationId(org),
  };
}
