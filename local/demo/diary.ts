import { diary } from "./data.ts";
import { moodColumns, notebookId } from "./journal.ts";
import { date, idOf, localMoment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

const WRITER = "demo";
const NOTEBOOK = "robin-diary";
/** The day on which Robin typed the diary in; it has nothing of later days. */
const TYPED_DAYS_AGO = 36;
/** From here on back, most days have a line. */
const DENSE_DAYS = 400;
/** Entries of earlier years have dates in the weeks around today: also a month later, there is something about the day. */
const EARLIER_YEARS = [2, 4, 8];
const DAYS_BEFORE = 5;
const DAYS_AFTER = 30;

/** Writes a diary of some years, so that past days and the calendar of moods have something to show on any date. */
export async function writeDiary(past: Past): Promise<void> {
  const lines = diaryDays().flatMap((daysAgo, index) => {
    const line = diary[(index * 7) % diary.length];
    return line === undefined ? [] : [{ ...line, id: stableId(`diary ${daysAgo}`), daysAgo }];
  });
  const { client } = past;
  await insertRows(client, "nectar.journal_entries", lines, ({ id, title, mood, daysAgo }) => ({
    id,
    user_id: idOf(past, WRITER),
    notebook_id: notebookId(NOTEBOOK),
    title,
    ...moodColumns(mood),
    tags: [],
    entry_date: date(past, daysAgo),
    ai_excluded: true,
    metadata_visibility: "user",
    content_visibility: "user",
    inherit_visibility: false,
    ...written(localMoment(past, WRITER, TYPED_DAYS_AGO, timeOfDay("20:00", id, 120))),
  }));
  await insertRows(client, "nectar.journal_entry_contents", lines, ({ id, text }) => ({ entry_id: id, content: text }));
}

/** How many days ago the days were that have a line. */
function diaryDays(): number[] {
  const dense = Array.from({ length: DENSE_DAYS - TYPED_DAYS_AGO }, (_, index) => TYPED_DAYS_AGO + index);
  const earlier = EARLIER_YEARS.flatMap((years) => {
    const sameDay = Math.round(years * 365.25);
    return Array.from({ length: DAYS_BEFORE + DAYS_AFTER }, (_, index) => sameDay + DAYS_BEFORE - index);
  });
  return [...dense.filter((daysAgo) => (daysAgo * 7) % 10 < 7), ...earlier];
}
