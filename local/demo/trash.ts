import { trashedEntries } from "./data.ts";
import { moodColumns } from "./journal.ts";
import { date, idOf, localMoment, moment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

/** Two entries that the demo user has deleted; one of them expires soon. */
export async function writeTrash(past: Past): Promise<void> {
  await insertRows(past.client, "nectar.trashed_entries", trashedEntries, (entry) => ({
    id: stableId(`trashed entry ${entry.title}`),
    user_id: idOf(past, entry.person),
    title: entry.title,
    content: entry.text,
    ...moodColumns(entry.mood),
    tags: entry.tags,
    entry_date: date(past, entry.daysAgo),
    ai_excluded: false,
    metadata_visibility: "user",
    content_visibility: "user",
    inherit_visibility: true,
    drop_ids: [],
    ...written(localMoment(past, entry.person, entry.daysAgo, timeOfDay(entry.at, entry.title))),
    deleted_at: moment(past, entry.deletedDaysAgo, "07:30"),
  }));
}
