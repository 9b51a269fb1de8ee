import { createHash } from "node:crypto";
import { LENGTHS } from "#core/lengths.generated";
import { CalendarDate, dateIn, utcDate } from "#core/time/calendar-date";
import type { Archive, ArchiveFile } from "./archive.ts";
import { checked, entryProblem, type Found, type ImportClock, type OpenSource } from "./drafts.ts";
import { type FrontMatter, splitFrontMatter } from "./front-matter.ts";
import { baseName, isHidden } from "./paths.ts";
import { type FindPicture, linkedPicture, picturesIn, takePictures } from "./pictures.ts";
import { ArchiveProblem } from "./problems.ts";
import { textsOf } from "./texts.ts";
import { contentOf, dayAsTitle, headingOf, shortTitle } from "./titles.ts";

/** More than 100,000 characters and front matter take. */
const MAX_FILE_BYTES = 500_000;

/** An archive of Markdown files: one entry each. */
export const openMarkdown: OpenSource = async (archive, clock) => {
  const files = archive.files.filter(({ path }) => !isHidden(path) && /\.(md|markdown)$/i.test(path));
  if (files.length === 0) throw new ArchiveProblem("no_entries");
  const pictureOf = picturesIn(archive);
  return {
    files,
    async *entriesOf(file) {
      yield await readEntry(archive, file, clock, pictureOf);
    },
  };
};

async function readEntry(
  archive: Archive,
  file: ArchiveFile,
  clock: ImportClock,
  pictureOf: FindPicture,
): Promise<Found> {
  const { path } = file;
  if (file.size > MAX_FILE_BYTES)
    return entryProblem(
      path,
      "invalid_content",
      `The text must have at most ${LENGTHS.journal_entry_contents.content.max} characters.`,
    );
  const text = await textOf(archive, file);
  if (text === null) return entryProblem(path, "invalid_encoding", "The file is not UTF-8.");
  const parts = splitFrontMatter(text);
  if ("problem" in parts) return entryProblem(path, "invalid_front_matter", parts.problem);
  const { fields, body } = parts;
  const written = writtenAt(fields, file, clock);
  if (written === null)
    return entryProblem(path, "missing_date", "Neither the front matter, the name nor the archive has a date.");
  const entryDate = CalendarDate.safeParse(fields.entry_date).data ?? written.date;
  const shown = takePictures(body, (target, alt) => linkedPicture(path, target, alt, pictureOf));
  const title = fields.title || headingOf(body) || nameAsTitle(path) || dayAsTitle(entryDate);
  return checked(
    path,
    {
      externalId: fields.id ?? createHash("sha256").update(path).update("\0").update(text).digest("hex"),
      title,
      content: contentOf(shown, title),
      mood: fields.mood,
      mood_source: fields.mood_source,
      tags: fields.tags,
      notebook: fields.notebook ? { name: fields.notebook } : null,
      entry_date: entryDate,
      createdAt: written.at,
      pictures: shown.pictures,
    },
    clock,
  );
}

/** The text of a file; null if it is not UTF-8. */
async function textOf(archive: Archive, file: ArchiveFile): Promise<string | null> {
  let text = "";
  try {
    for await (const part of textsOf(archive.read(file))) text += part;
    return text;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A day as it is written, and the moment that counts as the time of writing. */
interface Written {
  readonly date: string;
  readonly at: Date;
}

/**
 * When a text was written: as its front matter says, else as its name or folders do, else when the file was last changed.
 * What it says and nobody can read is better refused than replaced by the day on which the archive was made.
 */
function writtenAt(fields: FrontMatter, file: ArchiveFile, { timeZone }: ImportClock): Written | null {
  const stated = [fields.date, fields.created, fields.created_at, fields.entry_date].filter((text) => !!text);
  const named = dayIn(baseName(file.path)) ?? dayIn(file.path);
  const dates = [...stated, named].map((text) => parseDate(text ?? ""));
  const [first] = dates;
  const readable = dates.find(({ date, at }) => CalendarDate.safeParse(date).success && !Number.isNaN(at.getTime()));
  if (readable !== undefined) return readable;
  if (stated.length > 0 && first !== undefined) return first;
  const { modifiedAt: at, isLocalTime } = file;
  return at === null ? null : { date: isLocalTime ? utcDate(at) : dateIn(timeZone, at), at };
}

const YEAR = "(?:19|20)\\d{2}";
/**
 * A day in a path, such as `2024-05-01`, `2024_05_01`, `2024/05/01`, `20240501`, or with the time of day that notes are often
 * named by, `202405011230`.
 */
const DAY = new RegExp(
  `(?<!\\d)(?:(\\d{4})([-_./])(\\d{2})\\2(\\d{2})(?!\\d)|(${YEAR})(\\d{2})(\\d{2})(?=(?:\\d{4}|\\d{6})?(?!\\d)))`,
);

/** The day that a path names, `YYYY-MM-DD`; null if it names none. */
function dayIn(path: string): string | null {
  const [, year, , month, day, shortYear, shortMonth, shortDay] = DAY.exec(path) ?? [];
  return CalendarDate.safeParse([year ?? shortYear, month ?? shortMonth, day ?? shortDay].join("-")).data ?? null;
}

/** A date, or a date and a time, which is in UTC unless it says otherwise. A date alone means noon: nearly everywhere the same day. */
function parseDate(text: string): Written {
  const [start = "", year, month = "", day = ""] = /^(\d{4})[-/._]?(\d{1,2})[-/._]?(\d{1,2})(?!\d)/.exec(text) ?? [];
  const date = year === undefined ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = text.slice(start.length).replace(/^[T ]/, "").trim();
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(time);
  return {
    date,
    at: new Date(time === "" ? `${date}T12:00:00Z` : `${date}T${time.replace(" ", "")}${hasZone ? "" : "Z"}`),
  };
}

/** The name of a file without a day at its beginning, or with the day of its folders. */
function nameAsTitle(path: string): string {
  const name = baseName(path);
  const named = DAY.exec(name);
  const rest = named === null && dayIn(path) !== null ? name.replace(/^\d{2}(?!\d)/, "") : name;
  return shortTitle((named?.index === 0 ? rest.slice(named[0].length) : rest).replace(/^[ _-]+/, "").trim());
}
