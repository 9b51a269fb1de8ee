import { type Entry, entries, notebooks, type Sharing } from "./data.ts";
import { organizationId, teamId } from "./groups.ts";
import { date, idOf, localMoment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

/** Writes notebooks and entries; the database's triggers work out who sees them. */
export async function writeJournal(past: Past): Promise<void> {
  const { client } = past;
  await insertRows(client, "nectar.notebooks", Object.entries(notebooks), ([key, notebook]) => ({
    id: notebookId(key),
    user_id: idOf(past, notebook.owner),
    name: notebook.name,
    description: notebook.description,
    ai_excluded_default: notebook.isAiExcluded ?? false,
    ...sharingColumns(notebook.sharing),
    ...written(localMoment(past, notebook.owner, notebook.createdDaysAgo, timeOfDay("12:00", key, 30))),
  }));
  await insertRows(client, "nectar.journal_entries", entries, (entry) => ({
    id: entryId(entry.person, entry.title),
    user_id: idOf(past, entry.person),
    notebook_id: entry.notebook === undefined ? null : notebookId(entry.notebook),
    title: entry.title,
    ...moodColumns(entry.mood, entry.isMoodDetected ? "ai" : "user"),
    tags: entry.tags,
    entry_date: date(past, entry.daysAgo),
    ...sharingColumns(entry.sharing),
    inherit_visibility: entry.inherit ?? true,
    ...written(entryMoment(past, entry)),
  }));
  await insertRows(client, "nectar.journal_entry_contents", entries, (entry) => ({
    entry_id: entryId(entry.person, entry.title),
    content: entry.text,
  }));
}

/** The id of an entry by its author and title. */
export function entryId(person: string, title: string): string {
  return stableId(`entry ${person} ${title}`);
}

/** When an entry was written. */
export function entryMoment(past: Past, { person, title, daysAgo, at }: Entry): string {
  return localMoment(past, person, daysAgo, timeOfDay(at, title));
}

/** The id of a notebook by its name in the data. */
export function notebookId(key: string): string {
  return stableId(`notebook ${key}`);
}

export function moodColumns(mood: string | null = null, source: "user" | "ai" = "user") {
  return { mood, mood_source: mood === null ? null : source };
}

export function sharingColumns({ metadata = "user", content = "user", team, org }: Sharing = {}) {
  return {
    metadata_visibility: metadata,
    content_visibility: content,
    team_id: team === undefined ? null : teamId(team),
    org_id: org === undefined ? null : organizationId(org),
  };
}
